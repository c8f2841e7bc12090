/** State of a flow while the user is at the provider. It contains no secrets: the client holds those. */
import * as v from 'valibot'

export const socialFlowSchema = v.object({
  provider: v.string(),
  nonceHash: v.optional(v.string()),
  codeChallenge: v.string(),
  /** Page that the browser returns to. */
  redirectUrl: v.string(),
  /** Redirect URI sent to the provider; the API's own address for `form_post`. */
  redirectUri: v.string(),
  /** Requested scopes, which are also the granted ones unless the tokens say otherwise (RFC 6749 §5.1). */
  scopes: v.optional(v.array(v.string()), []),
  shop: v.optional(v.string()),
  /** Channel of Farcaster's relay; sealed. */
  channel: v.optional(v.string()),
  /** Value of `user` from a `form_post`; sealed. */
  form: v.optional(v.string()),
})
export type FlowData = v.InferOutput<typeof socialFlowSchema>
