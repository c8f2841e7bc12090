/** What a provider is to the API: endpoints, parameter names and the mapping of what it tells, as data. */
import type { ProfileMapping } from './profile.js'

interface ProviderBase {
  /** As in `/social/{provider}`, in the settings, and in upper case in the names of environment variables. */
  readonly id: string
  /** The provider's own page about this. */
  readonly docs: string
  readonly profile: ProfileMapping
}

/** Something that is asked with the access token. */
export interface ProfileSource {
  /** https; `{shop}` and `{clientId}` are filled in. */
  readonly url: string
  /** `{clientId}` is filled in. */
  readonly headers?: Readonly<Record<string, string>>
  /** The answer may be refused without an end of the sign-in: an address that the user did not share. */
  readonly optional?: boolean
  /** Asked only where the token has this scope, since others would be refused, and each request counts. */
  readonly scope?: string
}

/** OAuth 2.0, with or without an ID token. */
export interface OAuthProvider extends ProviderBase {
  readonly protocol: 'oauth2'
  /**
   * Of OpenID Connect: its discovery document gives the endpoints, and its keys verify the ID token. Instead of `endpoints`.
   */
  readonly issuer?: string
  /** `{shop}` is filled in. */
  readonly endpoints?: { readonly authorization: string; readonly token: string }
  readonly scopes: readonly string[]
  /** Default: a blank. */
  readonly scopeSeparator?: ',' | ' '
  /** What the provider calls `client_id`. */
  readonly clientIdName?: string
  /** Further parameters of the address that the user visits. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether it takes `code_challenge` with S256. The API itself compares the verifier in any case. */
  readonly pkce: boolean
  /** How the API shows its secret at the token endpoint. */
  readonly clientAuthentication: 'basic' | 'post'
  /** A secret that is a key, with which each request is signed anew (Apple). */
  readonly signedSecret?: boolean
  /** The answer comes to the API as a form of the browser (`form_post`), not to the page. */
  readonly formPost?: boolean
  /** Where in its answer the tokens are; default: at the top. */
  readonly tokensAt?: string
  /** Of ID tokens where there is no discovery. `jwks`, or signed with the client's secret (HS256). */
  readonly idToken?: {
    /** `{tid}`: of the token's own claim of this name, as Microsoft's are. */
    readonly issuer: string
    readonly jwks?: string
    /** Whether it repeats the nonce. */
    readonly nonce: boolean
  }
  /** Tokens with such a scope are not kept: they are for something else than the host's server. */
  readonly unkept?: RegExp
  /** Every shop has a host of its own, and the parameters of the return are signed with the client's secret (Shopify). */
  readonly shops?: { readonly host: RegExp }
  /**
   * What the profile is made of, by name. There are besides: `idToken` (claims), `token` (the token endpoint's answer) and
   * `form` (what came by `form_post`).
   */
  readonly sources?: Readonly<Record<string, ProfileSource>>
}

/** OpenID 2.0: signed fields of the return, which the provider itself checks. */
export interface OpenId2Provider extends ProviderBase {
  readonly protocol: 'openid2'
  readonly endpoint: string
  /** What goes before the id in `openid.claimed_id`. */
  readonly identifier: string
  /** Asked with the operator's key; `{key}` and `{id}` are filled in. */
  readonly sources?: Readonly<Record<string, ProfileSource>>
}

/** Telegram's login: fields with an HMAC over the bot's token. */
export interface TelegramProvider extends ProviderBase {
  readonly protocol: 'telegram'
  readonly endpoint: string
}

/** Sign In With Farcaster: a message signed by the key that has custody of the account. */
export interface FarcasterProvider extends ProviderBase {
  readonly protocol: 'farcaster'
  /** Where a channel is made and read. */
  readonly relay: string
  /** The contract that says whose key it is, and a node of its chain. */
  readonly registry: { readonly rpc: string; readonly address: string }
}

export type ServerProvider = OAuthProvider | OpenId2Provider | TelegramProvider | FarcasterProvider

/**
 * The server half of a provider of your own.
 *
 * @example
 * export const acme = defineProvider({
 *   id: 'acme', docs: 'https://acme.example/docs', protocol: 'oauth2', issuer: 'https://acme.example',
 *   scopes: ['openid', 'email'], pkce: true, clientAuthentication: 'post',
 *   profile: { id: 'idToken.sub', email: 'idToken.email', emailVerified: 'idToken.email_verified' },
 * })
 */
export function defineProvider<const P extends ServerProvider>(provider: P): P {
  return provider
}
