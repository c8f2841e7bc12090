/** Types of `keybay.account`, for apps and for login plugins. Types only. */
import type { ApiResponse, ConnectContext, KeybayError, SessionState } from '@keybay/kernel'
import type { MfaAction, MfaMethod } from '@keybay/kernel/spec'
import type { Settings } from './settings.js'
import type { MfaDevice, SecurityLogPage, User, UserCredential, UserExport, UserSession } from './user.js'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** Store of the signed-in user. Loads with the first subscriber, and follows this tab and other tabs. */
export interface UserStore {
  /** The same reference until a change. With `loading` or `error`, `user` may be stale. */
  readonly current: UserState
  subscribe(listener: () => void): () => void
  /** Fetches the user again. @throws KeybayError */
  refresh(options?: CallOptions): Promise<User | undefined>
}
export interface UserState {
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  readonly user?: User | undefined
  readonly error?: KeybayError | undefined
}

/** Second factor in setup: becomes active once confirmed. */
export interface MfaEnrolment {
  readonly device: MfaDevice
  /** Set for a `totp` device. Secret: show it, do not store it. `uri` is the content of the QR code. */
  readonly totp?: { readonly secret: string; readonly uri: string } | undefined
  /** Deadline for confirming, in ms since epoch. */
  readonly expiresAt: number
  /**
   * Confirms with the code, or with nothing for a passkey (call it in the click). The first device returns recovery
   * codes, only once: have the user store them.
   */
  confirm(code?: string, options?: CallOptions): Promise<{ readonly recoveryCodes?: readonly string[] | undefined }>
}
export interface AccountMfa {
  devices(options?: CallOptions): Promise<readonly MfaDevice[]>
  add(method: MfaMethod, options?: CallOptions & { readonly name?: string }): Promise<MfaEnrolment>
  remove(deviceId: string, options?: CallOptions): Promise<void>
  /** Creates new recovery codes; the old ones stop working. */
  recoveryCodes(options?: CallOptions): Promise<readonly string[]>
  /**
   * Returns a single-use token for one action on one request, after an `mfa` prompt. Undefined if this user or this
   * environment needs none.
   *
   * @param requestHash base64url SHA-256
   */
  token(action: MfaAction, requestHash: string, options?: CallOptions): Promise<string | undefined>
}

/** Describes one wallet operation for the session key to sign. */
export interface SessionOperation {
  /** Name of the operation, e.g. `signMessage`. */
  readonly operation: string
  /** Address of the wallet; absent if it has none yet. */
  readonly wallet?: string | undefined
  /** base64url SHA-256 of the operation's bytes. */
  readonly hash: string
}

export interface AccountApi {
  readonly user: UserStore
  /** Returns the environment's public settings; fetched once, then cached. */
  settings(options?: CallOptions): Promise<Settings>
  /**
   * Signs in with a wallet or a login, or links it if a user is signed in and agrees in a `choice` prompt. A wallet
   * connects and signs in one step if it can; otherwise it signs a message. A hardware wallet that can't signs a
   * transaction that is never sent, if the environment accepts that (S6.4).
   *
   * @example await keybay.account.signIn('wallet-standard:phantom')
   * @example await keybay.account.signIn('email', { email: 'mara@example.com' })
   */
  signIn(connectorId: string, input?: unknown, options?: CallOptions): Promise<SessionState>
  /** Signs in, or links, with a token that the app issues (S1.6). */
  signInWithToken(token: string, options?: CallOptions): Promise<SessionState>
  /** Signs out here and in every tab. Never fails: it deletes the session key even if the API is unreachable. */
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
  /** Ends all sessions. The API deletes the user 30 days later (`User.deletesAt`); until then the user can sign in. */
  deleteUser(options?: CallOptions): Promise<void>
  /** Undoes {@link AccountApi.deleteUser}. @example if (user.deletesAt) await keybay.account.restoreUser() */
  restoreUser(options?: CallOptions): Promise<User>
  /**
   * Fetches everything that the API, the relays and custody know about the user, without secrets.
   *
   * @throws KeybayError `reauthentication_required`, `user_rejected`, `too_many_requests`, `service_unavailable`,
   *   `request_failed`
   * @example const file = new Blob([JSON.stringify(await keybay.account.exportData(), null, 2)])
   */
  exportData(options?: CallOptions): Promise<UserExport>
  sessions(options?: CallOptions): Promise<readonly UserSession[]>
  endSession(sessionId: string, options?: CallOptions): Promise<void>
  /** Ends all other sessions; resolves with their number. */
  endOtherSessions(options?: CallOptions): Promise<number>
  /**
   * Ends all of the user's sessions, on every device and in every tab, this one too.
   *
   * @throws KeybayError `reauthentication_required`, `user_rejected`, `request_failed`: then no session has ended
   */
  signOutEverywhere(options?: CallOptions): Promise<void>
  /**
   * Fetches a page of the user's security log, the newest event first.
   *
   * @example
   * const { events, next } = await keybay.account.securityLog()
   * const older = next === null ? [] : (await keybay.account.securityLog({ before: next })).events
   */
  securityLog(options?: CallOptions & { readonly before?: string | undefined }): Promise<SecurityLogPage>
  readonly mfa: AccountMfa
  /**
   * Has the user sign in again, in a `choice` prompt of their sign-in methods, and keeps the session. Calls that need a
   * recent sign-in do this themselves.
   *
   * @throws KeybayError `reauthentication_required` if this page offers none of the user's methods, `user_rejected`
   */
  reauthenticate(options?: CallOptions): Promise<void>

  // For plugins.
  /** Entrance for login plugins: signs in, or links if a user is signed in and agrees. */
  entrance(options?: EntranceOptions): Promise<Entrance>
  /**
   * Calls the product API below `/sdk/{environmentId}` with a proof by the session key; prompts for a second factor
   * and renews the session if needed.
   *
   * @throws KeybayError with the server's code, `request_failed`, `user_rejected`
   */
  request(path: string, options?: AccountRequest): Promise<unknown>
  /**
   * Signs one operation with the session key (`signedSessionId`): a compact JWS, ES256, `typ: keybay-session+jwt`,
   * claims `{ sid, op, wallet?, hash, origin, iat, jti }`; `cnf.jwk` of the access token verifies it.
   *
   * @throws KeybayError `session_missing` if no user is signed in
   */
  signSession(operation: SessionOperation): Promise<string>
  /**
   * Reads or replaces a value that all tabs share and that ends with the session: it survives reloads, and is deleted in
   * the same step as the session key. Stored in IndexedDB, so it may hold a key that is not extractable; in memory where
   * IndexedDB is blocked. Undefined, and not stored, if no user is signed in.
   *
   * @param next returns the value to store, or its argument to store nothing; called in a transaction, so it can't wait
   * @returns the value after the change
   * @example await account.sessionValue('acme', now => now ?? { privateKey })
   */
  sessionValue(name: string, next: (now: unknown) => unknown): Promise<unknown>
}
/** Options of an entrance. A login's `ctx` has this type: `entrance(ctx)`. */
export interface EntranceOptions extends CallOptions {
  /** Prompts for a second factor or a merge while the attempt's timeout is paused. Default: the kernel's prompt. */
  readonly prompt?: ConnectContext['prompt'] | undefined
}
export interface AccountRequest extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined
  readonly body?: unknown
}
/**
 * API access for a login plugin. The last response is the `proof` of its credential, which the kernel exchanges for
 * a session.
 *
 * @example
 * const entrance = await kernel.plugins.account.entrance(ctx)
 * const sent = await entrance.post('email', { email })
 * return { method: 'email', proof: await entrance.post('email/verify', { verificationId, code }) }
 */
export interface Entrance {
  readonly mode: 'sign-in' | 'link'
  /**
   * @param step below `/auth/` to sign in; below `/users/me/credentials/` to link, `passkey…` below
   *   `/users/me/passkeys`; `social/…` unchanged, except that linking replaces its `exchange` with `link`. To link, the
   *   first step asks the user in a `choice` prompt; `social/…/flow` does not
   * @throws KeybayError with the server's code, `user_rejected`, `request_failed` if the response is no JSON object
   */
  post(step: string, body?: unknown): Promise<ApiResponse>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    account: AccountApi
  }
  interface KeybayEvents {
    /** Emitted when a user signs in here. */
    'account:signed-in': { readonly userId: string; readonly isNewUser: boolean }
    /** Emitted when a credential is added or removed. */
    'account:credentials-changed': { readonly userId: string }
  }
}
