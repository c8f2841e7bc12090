/** What the product API says of a user. Types only; `parse/` checks what came over the wire. */
import type { AuthenticationMethod, Chain, MfaMethod, VerificationStep } from '@keybay/kernel/spec'

/** What a social provider said of its account, when it was last used. */
export interface SocialProfile {
  readonly id: string
  readonly username?: string
  readonly name?: string
  readonly email?: string
  /** The provider says that the address is the user's. */
  readonly emailVerified: boolean
  readonly picture?: string
}
/**
 * A way to sign in, or an embedded wallet: `method` is `blockchain` and `walletName` is `WAAS_WALLET_NAME`. Which of the optional
 * fields are there follows from `method`.
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
  /** ms since epoch */
  readonly createdAt: number
  /** ms since epoch */
  readonly lastUsedAt: number
}
/** A second factor. */
export interface MfaDevice {
  readonly id: string
  readonly method: MfaMethod
  readonly name: string
  /** ms since epoch */
  readonly createdAt?: number
}
export interface User {
  readonly id: string
  readonly username: string | null
  readonly email: string | null
  readonly phoneNumber: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** ms since epoch */
  readonly createdAt: number
  /** ms since epoch */
  readonly lastSignInAt: number
  /** What is still to be verified before the session may do anything else. */
  readonly step: VerificationStep
  /** When the user is deleted for good, ms since epoch; until then `restoreUser` undoes it. Null while no deletion is pending. */
  readonly deletesAt?: number | null | undefined
  readonly credentials: readonly UserCredential[]
  readonly mfa: { readonly devices: readonly MfaDevice[]; readonly recoveryCodes: number }
}
/** One signed-in place, as `GET /sessions` lists it. */
export interface UserSession {
  readonly id: string
  readonly current: boolean
  readonly method: string
  readonly userAgent: string | null
  /** ms since epoch */
  readonly createdAt: number
  /** ms since epoch */
  readonly lastUsedAt: number
  /** ms since epoch */
  readonly expiresAt: number
}
