/** What a provider is, told as data: its paths, its names for things, and its answers. */

import type { ProviderId } from '../clients/clients.js'
import type { Person } from '../people.js'
import type { Services } from '../services.js'

/** What a user agreed to. */
export interface Grant {
  readonly person: Person
  readonly scopes: readonly string[]
  readonly clientId: string
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly codeChallenge: string | undefined
  /** Of Shopify. */
  readonly shop: string | undefined
  /** The first consent of this user: Apple tells the name then only. */
  readonly first: boolean
}

/** The tokens that were made, in the words of RFC 6749. */
export interface Issued {
  readonly accessToken: string
  readonly refreshToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly idToken: string | undefined
}

export interface Resource {
  readonly method?: 'GET' | 'POST'
  /** Below `/{provider}`. */
  readonly path: string
  /** One of these is needed, if any. */
  readonly scopes?: readonly string[]
  /** Headers that the provider demands, by lower-case name; `{clientId}` is filled in. */
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters that the provider demands to be there. */
  readonly query?: readonly string[]
  /** The token may also come as a query parameter of this name. */
  readonly tokenParameter?: string
  answer(person: Person, facts: { readonly scopes: readonly string[]; readonly query: URLSearchParams }): unknown
}

export interface StandIn {
  readonly id: ProviderId
  /** As people call it. */
  readonly name: string
  readonly authorizePath: string
  readonly tokenPath: string
  /** Paths may begin with the shop's host. */
  readonly shops?: boolean
  readonly clientIdName?: string
  readonly scopes: readonly string[]
  readonly scopeSeparator?: ',' | ' '
  /** Parameters that must be there with one of these values. */
  readonly demands?: Readonly<Record<string, readonly string[]>>
  readonly pkce: 'required' | 'taken' | 'none'
  readonly clientAuthentication: 'basic' | 'post' | 'apple'
  readonly formPost?: boolean
  /** What stands at the end of the address that people come back to. */
  readonly returnFragment?: string
  /** Seconds a code is good for; default 600. */
  readonly codeSeconds?: number
  readonly idToken?: {
    /** Below `/{provider}`. */
    readonly issuerPath: string
    readonly algorithm: 'RS256' | 'HS256'
    readonly jwksPath?: string
    readonly nonce: boolean
    claims(person: Person, grant: Grant): Record<string, unknown>
  }
  /** The answer of the token endpoint; by default that of RFC 6749. */
  tokens?(issued: Issued, grant: Grant): object
  /** Errors of the token endpoint; by default those of RFC 6749. */
  tokenError?(error: string, description: string): { readonly status: number; readonly body: object }
  /** Errors of the other endpoints. */
  resourceError?(status: number): object
  /** What goes along with code and state. */
  returns?(facts: {
    readonly services: Services
    readonly grant: Grant
    readonly fields: Readonly<Record<string, string>>
  }): Record<string, string>
  readonly resources: readonly Resource[]
}
