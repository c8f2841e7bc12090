/** `keybay.account`, as a host sees it, and what login plugins get of it. Types only. */
import type { ConnectContext, KeybayError, SessionState } from '@keybay/kernel'
import type { MfaAction, MfaMethod } from '@keybay/kernel/spec'
import type { Settings } from './settings.js'
import type { MfaDevice, User, UserCredential, UserSession } from './user.js'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** The signed-in user as a store. It loads with the first subscriber, and follows this tab and the others. */
export interface UserStore {
  /** The same reference until something changed. `loading` and `error` may come with an older `user`. */
  readonly current: UserState
  subscribe(listener: () => void): () => void
  /** Asks again. @throws KeybayError */
  refresh(options?: CallOptions): Promise<User | undefined>
}
export interface UserState {
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  readonly user?: User | undefined
  readonly error?: KeybayError | undefined
}

/** A second factor being set up: it counts once it was confirmed. */
export interface MfaEnrolment {
  readonly device: MfaDevice
  /** Of a `totp` device. A secret: show it, do not keep it. `uri` is what a QR code holds. */
  readonly totp?: { readonly secret: string; readonly uri: string } | undefined
  /** When it must be confirmed, ms since epoch. */
  readonly expiresAt: number
  /**
   * With the code, or with nothing for a passkey (call it in the click). With the first device come the recovery codes,
   * once: have the user keep them.
   */
  confirm(code?: string, options?: CallOptions): Promise<{ readonly recoveryCodes?: readonly string[] | undefined }>
}
export interface AccountMfa {
  devices(options?: CallOptions): Promise<readonly MfaDevice[]>
  add(method: MfaMethod, options?: CallOptions & { readonly name?: string }): Promise<MfaEnrolment>
  remove(deviceId: string, options?: CallOptions): Promise<void>
  /** New ones; the old ones no longer count. */
  recoveryCodes(options?: CallOptions): Promise<readonly string[]>
  /**
   * A single-use token for one action on one request; the user is asked by an `mfa` prompt. Undefined: this user or
   * this environment needs none.
   *
   * @param requestHash base64url SHA-256
   */
  token(action: MfaAction, requestHash: string, options?: CallOptions): Promise<string | undefined>
}

/** What one wallet operation is, for the signature of the session's key. */
export interface SessionOperation {
  /** e.g. `signMessage`. */
  readonly operation: string
  /** The wallet's address; absent where there is none yet. */
  readonly wallet?: string | undefined
  /** base64url SHA-256 of the bytes concerned. */
  readonly hash: string
}

export interface AccountApi {
  readonly user: UserStore
  /** The environment's public settings: asked once, then remembered. */
  settings(options?: CallOptions): Promise<Settings>
  /**
   * Signs in by a wallet or a login; links it, when somebody is signed in. A wallet that can, connects and signs in one
   * step; else it signs a message, and a hardware wallet that cannot, a transaction that is never sent (S6.4).
   *
   * @example await keybay.account.signIn('wallet-standard:phantom')
   * @example await keybay.account.signIn('email', { email: 'mara@example.com' })
   */
  signIn(connectorId: string, input?: unknown, options?: CallOptions): Promise<SessionState>
  /** Signs in, or links, by a token of the host's own (S1.6). */
  signInWithToken(token: string, options?: CallOptions): Promise<SessionState>
  /** Here and in every tab. Never fails: where the API cannot be reached, the session's key is gone all the same. */
  signOut(): Promise<void>
  /** @throws KeybayError `last_credential`, `credential_is_factor`, `credential_is_wallet` for an embedded wallet */
  unlink(credentialId: string, options?: CallOptions): Promise<void>
  /** Names a passkey or a wallet. */
  renameCredential(credentialId: string, name: string, options?: CallOptions): Promise<UserCredential>
  updateUser(
    patch: {
      readonly username?: string | undefined
      readonly metadata?: Readonly<Record<string, unknown>> | undefined
    },
    options?: CallOptions,
  ): Promise<User>
  /** Ends all sessions. The user is deleted 30 days later (`User.deletesAt`); until then signing in works. */
  deleteUser(options?: CallOptions): Promise<void>
  /** Undoes {@link AccountApi.deleteUser}. @example if (user.deletesAt) await keybay.account.restoreUser() */
  restoreUser(options?: CallOptions): Promise<User>
  sessions(options?: CallOptions): Promise<readonly UserSession[]>
  endSession(sessionId: string, options?: CallOptions): Promise<void>
  /** Ends all but this one; resolves with how many. */
  endOtherSessions(options?: CallOptions): Promise<number>
  readonly mfa: AccountMfa

  // For plugins.
  /** The way in for a login plugin: signs in, or links when somebody is signed in; decided once, here. */
  entrance(options?: EntranceOptions): Promise<Entrance>
  /**
   * A call of the product API below `/sdk/{environmentId}`, proved by the session's key; asks for a second factor and
   * renews where it must.
   *
   * @throws KeybayError with the server's code, `request_failed`, `user_rejected`
   */
  request(path: string, options?: AccountRequest): Promise<unknown>
  /**
   * The session key's signature over one operation (`signedSessionId`): a compact JWS, ES256, `typ: keybay-session+jwt`,
   * claims `{ sid, op, wallet?, hash, origin, iat, jti }`; `cnf.jwk` of the access token verifies it.
   *
   * @throws KeybayError `session_missing` when nobody is signed in
   */
  signSession(operation: SessionOperation): Promise<string>
}
/** A login's `ctx` fits as it is: `entrance(ctx)`. */
export interface EntranceOptions extends CallOptions {
  /** Asks for a second factor or a merge with the attempt's time-out at rest. Default: the kernel's own. */
  readonly prompt?: ConnectContext['prompt'] | undefined
}
export interface AccountRequest extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined
  readonly body?: unknown
}
/**
 * What a login plugin talks through. The last answer is the `proof` of its credential, and the kernel's exchange makes
 * a session of it.
 *
 * @example
 * const entrance = await kernel.plugins.account.entrance(ctx)
 * const sent = await entrance.post('email', { email })
 * return { method: 'email', proof: await entrance.post('email/verify', { verificationId, code }) }
 */
export interface Entrance {
  readonly mode: 'sign-in' | 'link'
  /**
   * @param step below `/auth/` to sign in; below `/users/me/credentials/` to link, `passkey…` below `/users/me/passkeys`;
   *   `social/…` as it is, its `exchange` called `link` to link
   * @throws KeybayError with the server's code
   */
  post(step: string, body?: unknown): Promise<unknown>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    account: AccountApi
  }
  interface KeybayEvents {
    /** Somebody signed in here. */
    'account:signed-in': { readonly userId: string; readonly isNewUser: boolean }
    /** A way in was added or removed. */
    'account:credentials-changed': { readonly userId: string }
  }
}
