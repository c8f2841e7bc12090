import { isVerificationStep, type VerificationStep } from '@keybay/kernel/spec'
import type { MfaDevice, User, UserCredential } from '../user.js'
import { flag, isObject, list, number, optional, type Rule, shape, text } from './check.js'
import { isCredential, isDevice, isUser } from './user.js'

export interface Tokens {
  readonly sessionId: string
  /** Absent with cookie storage, as is `refreshToken`. */
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  /** Expiry of the access token, by the server's clock. */
  readonly expiresAt: number
}
const tokens = { sessionId: text, accessToken: optional(text), refreshToken: optional(text), expiresAt: number }
export const isTokens: Rule<Tokens> = shape<Tokens>(tokens)

/** True for a response that accepts the user, or the refresh token, and holds no token of a session. */
export function isWithoutSession(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.status === undefined || value.status === 'authenticated') &&
    value.accessToken === undefined &&
    value.refreshToken === undefined
  )
}

function is<const T extends string>(word: T): Rule<T> {
  return (value): value is T => value === word
}

export interface Authenticated extends Tokens {
  readonly status: 'authenticated'
  readonly isNewUser: boolean
  readonly user: User
}
const isAuthenticated: Rule<Authenticated> = shape<Authenticated>({
  ...tokens,
  status: is('authenticated'),
  isNewUser: flag,
  user: isUser,
})
/** The user has signed in again, so the session goes on. */
export interface Reauthenticated {
  readonly status: 'reauthenticated'
}
const isReauthenticated: Rule<Reauthenticated> = shape<Reauthenticated>({ status: is('reauthenticated') })
export const isCompleted: Rule<Authenticated | Reauthenticated> = (value): value is Authenticated | Reauthenticated =>
  isAuthenticated(value) || isReauthenticated(value)
export interface SecondFactorNeeded {
  readonly status: 'mfa-required'
  readonly pendingId: string
  readonly devices: readonly MfaDevice[]
}
export const isSecondFactorNeeded: Rule<SecondFactorNeeded> = shape<SecondFactorNeeded>({
  status: is('mfa-required'),
  pendingId: text,
  devices: list(isDevice),
})
export interface Linked {
  readonly credential: UserCredential
  readonly step: VerificationStep
}
export const isLinked: Rule<Linked> = shape<Linked>({ credential: isCredential, step: isVerificationStep })
export const isMerged: Rule<{ readonly user: User }> = shape<{ readonly user: User }>({ user: isUser })
export interface MergeNeeded {
  readonly mergeId: string
  readonly expiresAt: number
}
export const isMergeNeeded: Rule<MergeNeeded> = shape<MergeNeeded>({ mergeId: text, expiresAt: number })
export const isNonce: Rule<{ readonly nonceId: string; readonly nonce: string }> = shape<{
  readonly nonceId: string
  readonly nonce: string
}>({
  nonceId: text,
  // Only letters and digits, as SIWS requires: a line break could forge another line of the message.
  nonce: (value): value is string => typeof value === 'string' && /^[A-Za-z0-9]{8,64}$/.test(value),
})
