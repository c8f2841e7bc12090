/** What is kept of a flow while the user is at the provider. Nothing here opens anything: the secrets are with the client. */
import * as v from 'valibot'

export const socialFlowSchema = v.object({
  provider: v.string(),
  nonceHash: v.optional(v.string()),
  codeChallenge: v.string(),
  /** Where the browser comes back to. */
  redirectUrl: v.string(),
  /** What the provider was told; the API's own address for `form_post`. */
  redirectUri: v.string(),
  /** What was asked for: that is granted, too, where the tokens do not say (RFC 6749 §5.1). */
  scopes: v.optional(v.array(v.string()), []),
  shop: v.optional(v.string()),
  /** Of Farcaster's relay; sealed. */
  channel: v.optional(v.string()),
  /** The `user` that came by `form_post`; sealed. */
  form: v.optional(v.string()),
})
export type FlowData = v.InferOutput<typeof socialFlowSchema>
