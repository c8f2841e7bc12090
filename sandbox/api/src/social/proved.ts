/** What a provider's answer proves. */
import type { Answers, SocialProfile } from '@keybay/social/server'
import type { Call } from '../http/call.js'
import type { EndedFlow } from './flow.js'
import type { ActiveProvider } from './registry.js'

/** Of the provider's own API, for the host. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly scope?: string | undefined
  /** ms since epoch */
  readonly expiresAt?: number | undefined
}

export interface ProvedAccount {
  readonly profile: SocialProfile
  readonly tokens?: ProviderTokens | undefined
}

/** What a protocol learned, before the mapping makes a profile of it. */
export interface Learned {
  readonly answers: Answers
  readonly tokens?: ProviderTokens | undefined
}

/** An attempt that is to be proved. */
export interface Attempt {
  readonly call: Call
  readonly active: ActiveProvider
  readonly flow: EndedFlow
  /** What came back. */
  readonly params: Readonly<Record<string, string>>
  readonly codeVerifier: string
}
