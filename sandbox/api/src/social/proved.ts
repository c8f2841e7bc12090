/** Facts that a provider's response proves. */
import type { Answers, SocialProfile } from '@keybay/social/server'
import type { Call } from '../http/call.js'
import type { EndedFlow } from './flow.js'
import type { ActiveProvider } from './registry.js'

/** Tokens for the provider's own API, for the host. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly scope?: string | undefined
  /** In ms since epoch. */
  readonly expiresAt?: number | undefined
}

export interface ProvedAccount {
  readonly profile: SocialProfile
  readonly tokens?: ProviderTokens | undefined
}

/** Data that a protocol collects, before the mapping turns it into a profile. */
export interface Learned {
  readonly answers: Answers
  readonly tokens?: ProviderTokens | undefined
}

/** Attempt to be proved. */
export interface Attempt {
  readonly call: Call
  readonly active: ActiveProvider
  readonly flow: EndedFlow
  /** Parameters that came back from the provider. */
  readonly params: Readonly<Record<string, string>>
  readonly codeVerifier: string
}
