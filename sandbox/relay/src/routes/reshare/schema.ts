/** Resharing: what its requests and answers hold, and what a relay keeps of it between the two trips. */
import * as v from 'valibot'
import { setErrors } from '../../authority/authorize.js'
import { PURPOSES } from '../../ceremonies/reshare-plan.js'
import { badShare, ceremonyState, notEnabled, peerUnavailable, tooManyRequests } from '../../http/errors.js'
import {
  base64url,
  bytes,
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
  notEnabled,
  badShare,
  ceremonyState,
  tooManyRequests,
  peerUnavailable,
] as const

/** What a relay keeps of a resharing, beside the pending share; public. */
export const reshareFacts = v.object({
  purpose: v.picklist(PURPOSES),
  /** The set that deals. */
  from: v.string(),
  oldScheme: scheme,
  newScheme: scheme,
  address: v.string(),
  kind: v.picklist(['primary', 'device', 'delegate']),
  transcript: v.string(),
  leaves: v.boolean(),
  name: v.string(),
  policy: v.nullable(policySchema),
  /** Whether the key that goes on is the set's registered one. */
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
  dealings: messages(3),
  subShares,
  deviceKey: v.optional(deviceKey),
  proofs: v.optional(v.pipe(v.array(bytes(128)), v.maxLength(3)), []),
  joinId: v.optional(uuid),
  policy: v.optional(policySchema),
})
export type BeginBody = v.InferOutput<typeof beginBody>
export const beginAnswer = v.object({
  dealings: v.array(base64url),
  subShares: sealedAnswer,
  transcript: base64url,
  expiresAt: time,
})
