/** Responses of a provider in the form that its public documentation gives them. */

/** A refusal of one of the provider's endpoints. */
export interface DocumentedError {
  /** Endpoint that refuses; the others respond as in `responses`. */
  readonly path: string
  readonly status: number
  readonly body: unknown
  /** Code that the API reports. Default: `oauth_error` */
  readonly code?: string
  /** Part of the body that a developer of the app should see. */
  readonly error?: string
}

export interface Documented {
  readonly id: string
  /** Pages of the documentation that have these responses. */
  readonly pages: readonly string[]
  /** Day on which excerpts or copies of the pages, or code that quotes them, were read; no provider was called. */
  readonly read: string
  /** Parts that the pages do not show, and where the response is from instead. */
  readonly missing?: string
  /** Bodies by path and query, or by path: JSON, or text as it is. */
  readonly responses: Readonly<Record<string, unknown>>
  /**
   * Claims of the ID token. The test signs them, and replaces `aud`, `iat`, `exp` and `nonce`, which belong to one sign-in, and the host of
   * `iss`.
   */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Parameters with which the user returns, in addition to `code` and `state`. */
  readonly returned?: Readonly<Record<string, string>>
  /** Fragment that the provider appends to the URL of the return. */
  readonly fragment?: string
  /** Field `user` of a `form_post`. */
  readonly formUser?: unknown
  /** Profile that the API must read. */
  readonly profile: Readonly<Record<string, unknown>>
  /** Scopes that the API must store with the token. */
  readonly scope?: string
  /** Parameters with which a user returns who declined. */
  readonly declined?: Readonly<Record<string, string>>
  readonly errors: readonly DocumentedError[]
}
