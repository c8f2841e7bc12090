/** Fields that several schemas share. Lengths are characters, bytes or entries. */
import { BACKUP_PROVIDERS, CHAINS, THRESHOLD_SIGNATURE_SCHEMES } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { BackupReceipt, BackupTarget, Policy, Progress, WaasWallet } from './wallet.js'

export function text(most: number): v.GenericSchema<string> {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(most))
}

export function bytes(most: number): v.GenericSchema<Uint8Array> {
  return v.pipe(v.instance(Uint8Array), v.maxLength(most))
}
/** `traceparent` of W3C Trace Context, version 00: it is not zero, and has room for nothing else. */
export const traceparent: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/),
)
export const flag: v.GenericSchema<boolean> = v.boolean()

const id = text(128)
const address = text(256)
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const amount = v.pipe(v.bigint(), v.minValue(0n), v.maxValue(2n ** 256n - 1n))
const provider = v.picklist(BACKUP_PROVIDERS)

export function upTo<T>(item: v.GenericSchema<T>, most: number): v.GenericSchema<T[]> {
  return v.pipe(v.array(item), v.maxLength(most))
}

const external = v.strictObject({
  request: text(64),
  action: v.picklist(['save', 'load', 'erase']),
  walletId: id,
  epoch: count,
  id,
  accountAddress: v.optional(address),
  fileName: v.optional(text(100)),
  envelope: v.optional(bytes(65_536)),
})
export const progress: v.GenericSchema<Progress> = v.strictObject({
  step: text(64),
  number: count,
  of: count,
  url: v.optional(v.pipe(text(4096), v.url())),
  external: v.optional(external),
  relay: v.optional(v.strictObject({ path: text(512), ms: count, status: v.optional(count) })),
  height: v.optional(count),
})

export const policy: v.GenericSchema<Policy> = v.strictObject({
  dailyLimit: v.optional(amount),
  transactionLimit: v.optional(amount),
  programs: upTo(
    v.strictObject({
      programId: address,
      instructions: v.optional(upTo(v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2}){1,32}$/)), 100)),
      uncapped: v.optional(flag),
    }),
    100,
  ),
  destinations: v.optional(upTo(address, 1000)),
  messages: flag,
  expiresAt: v.optional(count),
  otherwise: v.optional(v.literal('ask')),
  origin: v.optional(text(256)),
  tokens: v.optional(
    upTo(v.strictObject({ mint: address, decimals: v.pipe(count, v.maxValue(18)), dailyLimit: amount }), 8),
  ),
})

export const backupTarget: v.GenericSchema<BackupTarget> = v.strictObject({
  provider,
  password: v.optional(text(1024)),
  passkey: v.optional(flag),
  keeper: v.optional(v.picklist(['host', 'file'])),
  envelope: v.optional(bytes(1_000_000)),
})
export const backupReceipt: v.GenericSchema<BackupReceipt> = v.strictObject({
  provider,
  epoch: count,
  backedUpAt: count,
  envelope: v.optional(bytes(1_000_000)),
})

const shareSet = v.strictObject({
  setId: id,
  kind: v.picklist(['primary', 'device', 'delegate']),
  createdAt: count,
  revoked: flag,
  here: flag,
  kept: v.optional(flag),
  name: v.optional(text(64)),
  policy: v.optional(policy),
})
export const waasWallet: v.GenericSchema<WaasWallet> = v.strictObject({
  walletId: id,
  accountAddress: address,
  chainName: v.picklist(CHAINS),
  publicKey: bytes(128),
  thresholdSignatureScheme: v.picklist(THRESHOLD_SIGNATURE_SCHEMES),
  setId: id,
  epoch: count,
  signing: v.picklist(['threshold', 'reconstructed']),
  origin: v.picklist(['seed', 'dkg', 'imported']),
  exportable: flag,
  exported: flag,
  here: flag,
  passwordEncrypted: flag,
  backup: v.strictObject({
    state: v.picklist(['none', 'current', 'stale', 'unverified']),
    providers: upTo(provider, 8),
    backedUpAt: v.optional(count),
  }),
  sets: upTo(shareSet, 1000),
  policy: v.optional(policy),
  createdAt: count,
})
