/** A provider at the API, as data: endpoints, parameter names, and the mapping to a profile. */
import type { ProfileMapping } from './profile.js'

interface ProviderBase {
  /** As in `/social/{provider}`, in the settings, and in upper case in the names of environment variables. */
  readonly id: string
  readonly docs: string
  readonly profile: ProfileMapping
}
/** A request with the access token. */
export interface ProfileSource {
  /** https; `{shop}` and `{clientId}` are filled in. */
  readonly url: string
  /** `{clientId}` is filled in. */
  readonly headers?: Readonly<Record<string, string>>
  /** The sign-in continues if the provider refuses, e.g. an email that the user did not share. */
  readonly optional?: boolean
  /** Requested only if the token has this scope. */
  readonly scope?: string
}
/** OAuth 2.0, with or without an ID token. */
export interface OAuthProvider extends ProviderBase {
  readonly protocol: 'oauth2'
  /** OpenID Connect issuer, instead of `endpoints`: its discovery document has the endpoints and the keys for ID tokens. */
  readonly issuer?: string
  /** `{shop}` is filled in. */
  readonly endpoints?: { readonly authorization: string; readonly token: string }
  readonly scopes: readonly string[]
  /** Default: a space. */
  readonly scopeSeparator?: ',' | ' '
  /** The provider's name for `client_id`. */
  readonly clientIdName?: string
  /** More parameters of the authorization URL. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The provider supports `code_challenge` with S256. The API checks the verifier itself in any case. */
  readonly pkce: boolean
  /** How the API sends its secret to the token endpoint. */
  readonly clientAuthentication: 'basic' | 'post'
  /** The secret is a key that signs a JWT for each request (Apple). */
  readonly signedSecret?: boolean
  /** The browser posts the response to the API (`form_post`), not to the page. */
  readonly formPost?: boolean
  /** Path of the tokens in the response. Default: top level. */
  readonly tokensAt?: string
  /** ID tokens without discovery: verified by `jwks`, or by the client's secret (HS256). */
  readonly idToken?: {
    /** `{tid}` is filled in from the token's claim of this name (Microsoft). */
    readonly issuer: string
    readonly jwks?: string
    /** The token has the nonce. */
    readonly nonce: boolean
  }
  /** Tokens with a matching scope are not stored: they are not for the host's server. */
  readonly unkept?: RegExp
  /** Every shop has its own host, and the response is signed with the client's secret (Shopify). */
  readonly shops?: { readonly host: RegExp }
  /**
   * Sources of the profile by name, in addition to `idToken` (claims), `token` (the token endpoint's response) and `form` (the
   * fields of `form_post`).
   */
  readonly sources?: Readonly<Record<string, ProfileSource>>
}
/** OpenID 2.0: signed fields that the provider itself verifies. */
export interface OpenId2Provider extends ProviderBase {
  readonly protocol: 'openid2'
  readonly endpoint: string
  /** Prefix of the ID in `openid.claimed_id`. */
  readonly identifier: string
  /** Requests with the operator's key; `{key}` and `{id}` are filled in. */
  readonly sources?: Readonly<Record<string, ProfileSource>>
}
/** Telegram's login: fields with an HMAC keyed by the bot's token. */
export interface TelegramProvider extends ProviderBase {
  readonly protocol: 'telegram'
  readonly endpoint: string
}
/** Sign In With Farcaster: a message signed by the account's custody key. */
export interface FarcasterProvider extends ProviderBase {
  readonly protocol: 'farcaster'
  /** Creates and reads channels. */
  readonly relay: string
  /** The contract that maps keys to accounts, and a node of its chain. */
  readonly registry: { readonly rpc: string; readonly address: string }
}

export type ServerProvider = OAuthProvider | OpenId2Provider | TelegramProvider | FarcasterProvider

/**
 * Defines the server half of a provider of your own.
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
