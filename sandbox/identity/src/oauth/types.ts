/** Describes a provider as data: its paths, its names, and its responses. */
import * as v from 'valibot'
import type { ProviderId } from '../clients.js'
import type { Services } from '../services.js'
import { getUser, type User } from '../users.js'

/** Consent of a user, for which a code stands. */
export const grantSchema = v.object({
  user: v.pipe(
    v.unknown(),
    v.transform(getUser),
    v.custom<User>(user => user !== undefined),
  ),
  scopes: v.array(v.string()),
  clientId: v.string(),
  redirectUri: v.string(),
  nonce: v.optional(v.string()),
  codeChallenge: v.optional(v.string()),
  shop: v.optional(v.string()),
  /** True at this user's first consent, the only one at which Apple sends the name. */
  first: v.boolean(),
})
export type Grant = v.InferOutput<typeof grantSchema>

/** Response of the token endpoint as in RFC 6749: `expires_in` is in seconds, `scope` has blanks between. */
export interface Issued {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
  readonly id_token?: string
}

export interface Resource {
  readonly method?: 'GET' | 'POST'
  /** Path below `/{provider}`. */
  readonly path: string
  /** Scopes of which the token needs one, if any. */
  readonly scopes?: readonly string[]
  /** Headers that the provider requires, by lower-case name; `{clientId}` is filled in. */
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters that the provider requires. */
  readonly query?: readonly string[]
  /** Name of a query parameter that may carry the token instead. */
  readonly tokenParameter?: string
  answer(user: User, facts: { readonly scopes: readonly string[]; readonly query: URLSearchParams }): unknown
}

export interface StandIn {
  readonly id: ProviderId
  readonly name: string
  readonly authorizePath: string
  readonly tokenPath: string
  /** True if paths may begin with the shop's host. */
  readonly shops?: boolean
  readonly clientIdName?: string
  readonly scopes: readonly string[]
  readonly scopeSeparator?: ',' | ' '
  /** Parameters that must have one of these values. */
  readonly demands?: Readonly<Record<string, readonly string[]>>
  readonly pkce: 'required' | 'taken' | 'none'
  readonly clientAuthentication: 'basic' | 'post' | 'apple'
  readonly formPost?: boolean
  /** Fragment at the end of the return URL. */
  readonly returnFragment?: string
  /** Lifetime of a code in seconds; default 600. */
  readonly codeSeconds?: number
  readonly idToken?: {
    /** Path of the issuer below `/{provider}`. */
    readonly issuerPath: string
    readonly algorithm: 'RS256' | 'HS256'
    readonly jwksPath?: string
    readonly nonce: boolean
    claims(user: User, grant: Grant): Record<string, unknown>
  }
  tokens?(issued: Issued, grant: Grant): object
  /** Builds errors of the token endpoint; default: as in RFC 6749. */
  tokenError?(error: string, description: string): { readonly status: number; readonly body: object }
  /** Builds errors of the other endpoints. */
  resourceError?(status: number): object
  /** Adds parameters to the code and state of the return URL. */
  returns?(facts: {
    readonly services: Services
    readonly grant: Grant
    readonly fields: Readonly<Record<string, string>>
  }): Record<string, string>
  readonly resources: readonly Resource[]
}
