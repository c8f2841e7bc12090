/** Schemas of relay responses. The relay is another party, so everything is checked; unknown fields are allowed. */
import {
  CHAINS,
  type Chain,
  MFA_ACTIONS,
  type MfaAction,
  THRESHOLD_SIGNATURE_SCHEMES,
  type ThresholdSignatureScheme,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Party } from '../mpc/index.js'

const bytes = v.pipe(v.string(), v.maxLength(65_536), v.regex(/^[\w-]*$/))
/** A key or thumbprint of 32 bytes. */
const bytes32 = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const time = v.pipe(v.number(), v.safeInteger())
const party = v.picklist(['C', 'B1', 'B2', 'R1', 'R2'])

function few<T extends v.GenericSchema>(item: T) {
  return v.pipe(v.array(item), v.maxLength(16))
}
const amount = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const scheme = v.picklist(THRESHOLD_SIGNATURE_SCHEMES)

/** Schema that a response is checked with. */
export type Answer<T> = v.GenericSchema<unknown, T>
/** A share set as a relay lists it. */
export interface RelaySet {
  readonly setId: string
  readonly kind: 'primary' | 'device' | 'delegate'
  readonly epoch: number
  readonly status: 'active' | 'revoked'
  readonly createdAt: number
  /** Name of the device, or of the delegate in the operator's list; empty for the primary set. */
  readonly name: string
  readonly policy?: RelayPolicy | null | undefined
  /** R1's signed record. */
  readonly record: string
}
/** Amounts are decimal text. */
export interface RelayPolicy {
  readonly dailyLimit?: string | undefined
  readonly transactionLimit?: string | undefined
  readonly programs: readonly {
    readonly programId: string
    readonly instructions?: readonly string[] | undefined
    readonly uncapped?: boolean | undefined
  }[]
  readonly destinations?: readonly string[] | undefined
  readonly messages: boolean
  readonly expiresAt?: number | undefined
  readonly otherwise?: 'ask' | undefined
  readonly origin?: string | undefined
  readonly tokens?:
    | readonly { readonly mint: string; readonly decimals: number; readonly dailyLimit: string }[]
    | undefined
}
export interface RelayWallet {
  readonly walletId: string
  readonly address: string
  readonly chainName: Chain
  readonly scheme: ThresholdSignatureScheme
  readonly origin: 'seed' | 'dkg' | 'imported'
  readonly exportable: boolean
  readonly exported: boolean
  readonly createdAt: number
  readonly sets: readonly RelaySet[]
}
/** A private message, sealed for `to`. */
export interface SealedSubShare {
  readonly from: Party
  readonly to: Party
  readonly box: string
}
/** Account that gets a wallet's backups, in a form that only the user's frames can read. */
export interface RecordedAccount {
  /** HMAC-SHA256 of provider and account under a random key of the wallet, base64url. */
  readonly account: string
  /** The random key, sealed under the backup's share: 60 bytes, base64url. */
  readonly key: string
}
/** R1's signed record of a set. */
export interface RecordClaims {
  readonly iss: 'R1'
  readonly env: string
  readonly sub: string
  readonly wallet: string
  readonly address: string
  readonly set: string
  readonly kind: RelaySet['kind']
  readonly scheme: ThresholdSignatureScheme
  readonly epoch: number
  readonly status: RelaySet['status']
  /** The `ShareSet` in bytes. */
  readonly pub: string
  readonly transcript: string
  /** base64url SHA-256 of the policy's canonical JSON, or of `null`. */
  readonly policy: string
  /** Thumbprint of the set's device key. */
  readonly device: string
  /** Number of the record in the history of its wallet, from 0. */
  readonly gen: number
  /** base64url SHA-256 of the wallet's record before; empty for the first. */
  readonly prev: string
  /** Absent before the first backup at a provider. */
  readonly backup?: RecordedAccount | undefined
}
interface SealingKey {
  readonly party: Party
  readonly sealingKey: string
}
/** Request of another device to be added. */
export interface Join {
  readonly joinId: string
  readonly setId: string
  readonly kind: 'device'
  readonly name: string
  /** Thumbprint of its key. */
  readonly deviceKey: string
  readonly sealingKey: string
  readonly expiresAt: number
}
/** A complete dealing. */
export type Dealt = Required<Omit<Taken, 'status'>>

/** A server that may get a share set. */
export interface Delegate {
  /** Name in the operator's list. */
  readonly name: string
  /** base64url */
  readonly sealingKey: string
}
/** Dealing for a join; `status` is `waiting` until it is there. */
export interface Taken {
  readonly status: string
  readonly ceremonyId?: string | undefined
  readonly from?: string | undefined
  readonly dealers?: readonly Party[] | undefined
  readonly policyHash?: string | undefined
  readonly dealings?: readonly string[] | undefined
  readonly subShares?: readonly SealedSubShare[] | undefined
  readonly transcript?: string | undefined
}
type Bytes = readonly string[]

const policy = v.object({
  dailyLimit: v.optional(amount),
  transactionLimit: v.optional(amount),
  programs: v.array(
    v.object({ programId: id, instructions: v.optional(v.array(v.string())), uncapped: v.optional(v.boolean()) }),
  ),
  destinations: v.optional(v.array(id)),
  messages: v.boolean(),
  expiresAt: v.optional(time),
  otherwise: v.optional(v.literal('ask')),
  origin: v.optional(v.string()),
  tokens: v.optional(v.array(v.object({ mint: id, decimals: v.number(), dailyLimit: amount }))),
})
const set = v.object({
  setId: id,
  kind: v.picklist(['primary', 'device', 'delegate']),
  epoch: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  status: v.picklist(['active', 'revoked']),
  createdAt: time,
  name: v.pipe(v.string(), v.maxLength(64)),
  policy: v.nullish(policy),
  record: v.pipe(v.string(), v.maxLength(16_384)),
})
const walletSchema = v.object({
  walletId: id,
  address: id,
  chainName: v.picklist(CHAINS),
  scheme,
  origin: v.picklist(['seed', 'dkg', 'imported']),
  exportable: v.boolean(),
  exported: v.boolean(),
  createdAt: time,
  sets: v.pipe(v.array(set), v.minLength(1), v.maxLength(100)),
})

const subShares = few(v.object({ from: party, to: party, box: bytes }))
/** The dealing that a page brings a delegate. */
export const dealtForOther: Answer<Dealt> = v.strictObject({
  ceremonyId: id,
  from: bytes,
  dealers: few(party),
  policyHash: bytes32,
  dealings: few(bytes),
  subShares,
  transcript: bytes,
})

export const partySchema: Answer<SealingKey & { readonly peer?: SealingKey | null | undefined }> = v.object({
  party,
  sealingKey: bytes,
  peer: v.nullish(v.object({ party, sealingKey: bytes })),
})
/** Reads each wallet by itself: one that cannot be read hides no other. */
export const listSchema: Answer<{
  readonly wallets: readonly RelayWallet[]
  /** Actions that require a second factor of the user, if the frame asked. */
  readonly demands?: readonly MfaAction[] | undefined
}> = v.object({
  demands: v.optional(v.pipe(v.array(v.picklist(MFA_ACTIONS)), v.maxLength(MFA_ACTIONS.length))),
  wallets: v.pipe(
    v.array(v.unknown()),
    v.maxLength(1000),
    v.transform(wallets =>
      wallets.flatMap(wallet => {
        const { success, output } = v.safeParse(walletSchema, wallet)
        return success ? [output] : []
      }),
    ),
  ),
})
export const oneWallet: Answer<{ readonly wallet: RelayWallet }> = v.object({ wallet: walletSchema })
export const commitmentsSchema: Answer<{ readonly commitments: Bytes; readonly expiresAt: number }> = v.object({
  commitments: few(bytes),
  expiresAt: time,
})
export const openedSchema: Answer<{ readonly openings: Bytes; readonly subShares: readonly SealedSubShare[] }> =
  v.object({ openings: few(bytes), subShares })
export const answersSchema: Answer<{ readonly answers: Bytes }> = v.object({ answers: few(bytes) })
export const dealtSchema: Answer<{
  readonly dealings: Bytes
  readonly subShares: readonly SealedSubShare[]
  readonly transcript: string
  readonly expiresAt: number
}> = v.object({ dealings: few(bytes), subShares, transcript: bytes, expiresAt: time })
export const joinOpened: Answer<{ readonly joinId: string; readonly expiresAt: number }> = v.object({
  joinId: id,
  expiresAt: time,
})
const join = v.object({
  joinId: id,
  setId: id,
  kind: v.literal('device'),
  name: v.string(),
  deviceKey: bytes32,
  sealingKey: bytes32,
  expiresAt: time,
})
export const joinsSchema: Answer<{ readonly joins: readonly Join[] }> = v.object({ joins: few(join) })
/** Delegates that the operator lists. */
export const delegatesSchema: Answer<{ readonly delegates: readonly Delegate[] }> = v.object({
  delegates: v.pipe(v.array(v.object({ name: id, sealingKey: bytes })), v.maxLength(256)),
})
export const takenSchema: Answer<Taken> = v.object({
  status: v.string(),
  ceremonyId: v.optional(id),
  from: v.optional(bytes),
  dealers: v.optional(few(party)),
  policyHash: v.optional(bytes32),
  dealings: v.optional(few(bytes)),
  subShares: v.optional(subShares),
  transcript: v.optional(bytes),
})
export const recordSchema: Answer<RecordClaims> = v.object({
  iss: v.literal('R1'),
  env: id,
  sub: id,
  wallet: id,
  address: id,
  set: id,
  kind: v.picklist(['primary', 'device', 'delegate']),
  scheme,
  epoch: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  status: v.picklist(['active', 'revoked']),
  pub: bytes,
  transcript: bytes,
  policy: bytes32,
  device: bytes32,
  gen: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  prev: v.union([v.literal(''), bytes32]),
  backup: v.optional(v.object({ account: bytes32, key: v.pipe(v.string(), v.regex(/^[\w-]{80}$/)) })),
})

export const errorSchema: Answer<{ readonly code: string; readonly message: string; readonly details?: unknown }> =
  v.object({
    code: v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/)),
    message: v.pipe(v.string(), v.maxLength(4000)),
    details: v.optional(v.unknown()),
  })
