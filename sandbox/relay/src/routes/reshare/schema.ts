/** Resharing: formats of requests and responses, and the facts that a relay stores between the two trips. */
import * as v from 'valibot'
import { setErrors } from '../../authority/authorize.js'
import { PURPOSES } from '../../ceremonies/plan.js'
import { proofs } from '../../ceremonies/proofs.js'
import {
  base64url,
  deviceKey,
  exactBytes,
  messages,
  party,
  scheme,
  sealedAnswer,
  subShares,
  time,
  uuid,
} from '../../http/fields.js'
import { policySchema } from '../../policy/index.js'

export const reshareErrors = [
  ...setErrors,
  'not_enabled',
  'bad_share',
  'ceremony_state',
  'policy_mismatch',
  'too_many_sets',
  'wallet_exists',
  'too_many_requests',
  'peer_unavailable',
] as const

/** Facts of a resharing, stored next to the pending share; public. */
export const reshareFacts = v.object({
  purpose: v.picklist(PURPOSES),
  /** Set that deals. */
  from: v.string(),
  oldScheme: scheme,
  newScheme: scheme,
  address: v.string(),
  kind: v.picklist(['primary', 'device', 'delegate']),
  transcript: v.string(),
  leaves: v.boolean(),
  name: v.string(),
  policy: v.nullable(policySchema),
  unconfirmed: v.array(v.nullable(policySchema)),
  /** Thumbprint of the device key that deals. */
  owner: v.string(),
  /** True when the ceremony continues with the set's registered key. */
  registered: v.boolean(),
})
export type ReshareFacts = v.InferOutput<typeof reshareFacts>

export const beginBody = v.strictObject({
  ceremonyId: uuid,
  purpose: v.picklist(PURPOSES),
  setId: uuid,
  newSetId: uuid,
  newScheme: scheme,
  dealers: v.pipe(v.array(party), v.minLength(2), v.maxLength(5)),
  sealingKey: exactBytes(32),
  /** SHA-256 of the JSON of the policy that the set will have. */
  policyHash: exactBytes(32),
  dealings: messages(3),
  subShares,
  deviceKey: v.optional(deviceKey),
  proofs,
  joinId: v.optional(uuid),
  policy: v.optional(policySchema),
  withR2: v.optional(v.boolean(), false),
})
export type BeginBody = v.InferOutput<typeof beginBody>
export const beginAnswer = v.object({
  dealings: v.array(base64url),
  subShares: sealedAnswer,
  transcript: base64url,
  expiresAt: time,
})
