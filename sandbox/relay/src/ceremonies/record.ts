/** R1's signed record of a share set: contents, signing and reading. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { codecs, decode, encode, type ShareSet } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { isSignedBy, readJws, signJws } from '../authority/jws.js'
import { getKey, getThumbprint, type PublicJwk } from '../crypto/jwk.js'
import type { SetKind, SetStatus } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { bytes, scheme, toText, uuid } from '../http/fields.js'
import type { PartyKeys } from '../party.js'
import { hashPolicy, type Policy } from '../policy/index.js'
import { addressOf, chainName, chainOf } from './chain.js'
import { step } from './messages.js'

const TYP = 'keybay-record+jwt'
const hash = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
/** Account that gets a wallet's backups, in a form that only the user's frames can read. */
export const recordedAccount = v.strictObject({
  /** Keyed hash of provider and account. */
  account: hash,
  /** Key of the hash, sealed under the backup's share: 60 bytes. */
  key: v.pipe(v.string(), v.regex(/^[\w-]{80}$/)),
})
export type RecordedAccount = v.InferOutput<typeof recordedAccount>
const claims = v.strictObject({
  iss: v.literal('R1'),
  env: v.string(),
  sub: v.string(),
  wallet: uuid,
  address: v.string(),
  chain: chainName,
  set: uuid,
  kind: v.picklist(['primary', 'device', 'delegate']),
  scheme,
  epoch: v.number(),
  status: v.picklist(['active', 'revoked']),
  pub: bytes(1024),
  transcript: v.string(),
  policy: hash,
  device: hash,
  gen: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  prev: v.union([v.literal(''), hash]),
  backup: v.optional(recordedAccount),
  iat: v.number(),
})

/** A set as a record describes it. */
export interface SetFacts {
  readonly environmentId: string
  readonly userId: string
  readonly address: string
  readonly kind: SetKind
  readonly scheme: ThresholdSignatureScheme
  readonly status: SetStatus
  readonly set: ShareSet
  /** base64url */
  readonly transcript: string
  /** base64url SHA-256 of the policy's canonical JSON, or of `null`. */
  readonly policyHash: string
  /** Thumbprint of the set's device key. */
  readonly device: string
  /** Backup account of the wallet, in the record of each of its sets; absent before the first backup at a provider. */
  readonly backup?: RecordedAccount | undefined
}
export interface RecordFacts extends SetFacts {
  /** Number of the record in the history of its wallet: 0 for the creation. */
  readonly generation: number
  /** base64url SHA-256 of the wallet's record before; empty for the first. */
  readonly prev: string
}

/** A set with the policy and the key that its record describes by their hashes. */
export interface DescribedSet extends Omit<SetFacts, 'policyHash' | 'device'> {
  readonly policy: Policy | null
  readonly deviceKey: PublicJwk
}

export function describe(set: DescribedSet): SetFacts {
  return { ...set, policyHash: hashPolicy(set.policy), device: getThumbprint(set.deviceKey) }
}

/** Facts of a record. Relays and frames reject `withdrawn`, which informs the API that a wallet was never created. */
type SignedFacts = Omit<RecordFacts, 'status'> & { readonly status: SetStatus | 'withdrawn' }

/** @param now ms since epoch */
export function signRecord({ record }: PartyKeys, facts: SignedFacts, now: number): string {
  const { environmentId, userId, address, kind, scheme, status, set, transcript, policyHash, device } = facts
  const said = {
    iss: 'R1',
    env: environmentId,
    sub: userId,
    wallet: set.walletId,
    address,
    chain: chainOf(set, address),
    set: set.setId,
    kind,
    scheme,
    epoch: set.epoch,
    status,
    pub: toText(encode(codecs.shareSet, set)),
    transcript,
    policy: policyHash,
    device,
    gen: facts.generation,
    prev: facts.prev,
    ...(facts.backup && { backup: facts.backup }),
    iat: Math.floor(now / 1000),
  }
  return signJws({ typ: TYP, kid: record.kid }, said, record.key)
}

/** @param keys R1's, by key id. @throws RelayError `invalid_request` for anything that R1 did not sign */
export function readRecord(keys: ReadonlyMap<string, PublicJwk>, text: string): RecordFacts {
  const jws = readJws(text, TYP)
  const jwk = typeof jws?.header.kid === 'string' ? keys.get(jws.header.kid) : undefined
  const key = jwk && getKey(jwk)
  const parsed = v.safeParse(claims, jws?.claims)
  if (!jws || !key || !parsed.success || !isSignedBy(jws, key))
    throw new RelayError('invalid_request', { reason: 'record' })
  const { env, sub, address, chain, kind, scheme, status, pub, transcript, policy, device, gen, prev, backup } =
    parsed.output
  const set = step(() => decode(codecs.shareSet, pub))
  // Signers show this address to the user, so it must belong to the key.
  if (chain !== chainOf(set, address) || addressOf(chain, set) !== address)
    throw new RelayError('invalid_request', { reason: 'record' })
  const facts = { environmentId: env, userId: sub, address, kind, scheme, status, set, transcript }
  return { ...facts, policyHash: policy, device, generation: gen, prev, backup }
}
