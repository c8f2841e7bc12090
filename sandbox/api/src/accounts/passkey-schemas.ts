/** Bodies of passkey routes: what browsers send, and the options that they get. */
import * as v from 'valibot'
import { base64url } from '../http/fields.js'

const extensions = v.optional(v.record(v.string(), v.unknown()))
const shared = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  clientExtensionResults: extensions,
}
export const registrationSchema = v.object({
  ...shared,
  response: v.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: v.optional(v.array(v.pipe(v.string(), v.maxLength(32)))),
  }),
})
export const assertionSchema = v.object({
  ...shared,
  response: v.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(1024),
    userHandle: v.optional(v.nullable(base64url(128))),
  }),
})
export type Registration = v.InferOutput<typeof registrationSchema>
export type Assertion = v.InferOutput<typeof assertionSchema>

/** Options in the format of `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
export const optionsSchema = v.object({
  challengeId: v.string(),
  expiresAt: v.number(),
  options: v.pipe(v.record(v.string(), v.unknown()), v.description('WebAuthn options as JSON')),
})
