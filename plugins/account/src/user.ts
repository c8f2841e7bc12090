/** Users as the product API returns them, with times in ms since epoch. Types only; `parse/` checks the responses. */
import type { AuthenticationMethod, Chain, MfaMethod, VerificationStep } from '@keybay/kernel/spec'

/** Profile from a social provider, as of its last use. */
export interface SocialProfile {
  readonly id: string
  readonly username?: string
  readonly name?: string
  readonly email?: string
  /** True if the provider confirms that the address belongs to the user. */
  readonly emailVerified: boolean
  readonly picture?: string
}
/**
 * Credential for signing in, or an embedded wallet: `method` is `blockchain` and `walletName` is
 * `WAAS_WALLET_NAME`. `method` determines which optional fields are set.
 */
export interface UserCredential {
  readonly id: string
  readonly method: AuthenticationMethod
  readonly email?: string
  readonly phoneNumber?: string
  readonly address?: string
  readonly chain?: Chain
  readonly walletName?: string
  readonly externalUserId?: string
  readonly provider?: string
  readonly accountId?: string
  readonly profile?: SocialProfile
  readonly passkeyId?: string
  readonly name?: string
  readonly createdAt: number
  readonly lastUsedAt: number
}
/** A second factor. */
export interface MfaDevice {
  readonly id: string
  readonly method: MfaMethod
  readonly name: string
  readonly createdAt?: number
}
export interface User {
  readonly id: string
  readonly username: string | null
  readonly email: string | null
  readonly phoneNumber: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly lastSignInAt: number
  /** Verification that the session still requires before any other action. */
  readonly step: VerificationStep
  /**
   * Time of permanent deletion, in ms since epoch; until then `restoreUser` undoes it. Null if no deletion is pending.
   */
  readonly deletesAt?: number | null | undefined
  readonly credentials: readonly UserCredential[]
  readonly mfa: { readonly devices: readonly MfaDevice[]; readonly recoveryCodes: number }
}
/** Session as listed by `GET /sessions`. */
export interface UserSession {
  readonly id: string
  readonly current: boolean
  readonly method: string
  readonly userAgent: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}
/** Event in the security log, as listed by `GET /users/me/security-log`. */
export interface SecurityEvent {
  readonly id: string
  /** One of `SECURITY_EVENT_KINDS` of `@keybay/kernel/spec`; a newer API may send others. */
  readonly kind: string
  /** In ms since epoch. */
  readonly at: number
  /** Browser and system, e.g. `Firefox on Linux`; null if no request of the user caused the event. */
  readonly device: string | null
  /** IPv4 /24 or IPv6 /48; null as above. */
  readonly network: string | null
  /** Sign-in method, factor or wallet address that the event is about. */
  readonly detail: string | null
}
export interface SecurityLogPage {
  /** The newest first. */
  readonly events: readonly SecurityEvent[]
  /** `before` of the next page; null on the last one. */
  readonly next: string | null
}
/** Everything that the services know about the user, as answered by `POST /users/me/export`. */
export interface UserExport {
  /** In ms since epoch. */
  readonly exportedAt: number
  /** Rows of the product API by topic, e.g. `credentials`; the topics may grow. */
  readonly api: Readonly<Record<string, readonly unknown[]>>
  /** One document per relay. */
  readonly relays: readonly unknown[]
  /** Document of custody; null if the environment has none. */
  readonly custody: unknown
}
