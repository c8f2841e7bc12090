/** Types of `keybay.passkey`. Types only; `engine.ts` implements them and loads with the first call. */
import type { CallOptions, UserCredential } from '@keybay/account'
import type { SessionState } from '@keybay/kernel'

/** Input of `connect('passkey', …)`. Without it: signs in, or, if a user is signed in, creates and links a passkey. */
export interface PasskeyInput {
  /**
   * Signs in only with a passkey that the browser has at hand. If it has none, or cannot tell, rejects with `user_rejected` at
   * once, without a dialog, so that the page can offer to create one.
   */
  readonly immediate?: boolean
  /** Creates a passkey and a new user; requires `userName`. */
  readonly signUp?: boolean
  /**
   * Name under which the browser offers the passkey, for example an email address. Required for linking only if the user has no
   * email, username or phone number.
   */
  readonly userName?: string
  /** Name of the passkey in `list()`, e.g. “Laptop”; at most 64 characters. */
  readonly name?: string
}

export interface PasskeyApi {
  /** True if this browser supports WebAuthn. False on a server. */
  supported(): boolean
  /**
   * Offers passkeys in the browser's list below `<input autocomplete="username webauthn">`, and waits in the background,
   * separately from attempts, until the user selects one.
   * @returns the session, or undefined if the call ended without one: aborted, disposed, replaced by another passkey ceremony,
   * the user is already signed in or declined, or the browser has no such list
   * @throws KeybayError `webauthn_unsupported`, `invalid_passkey`, `request_failed`, …
   * @example
   * useEffect(() => {
   *   const leaving = new AbortController()
   *   keybay.passkey.autofill({ signal: leaving.signal }).catch(showError)
   *   return () => leaving.abort()
   * }, [])
   */
  autofill(options?: CallOptions): Promise<SessionState | undefined>
  /** Lists the signed-in user's passkeys. Empty if no user is signed in. */
  list(options?: CallOptions): Promise<readonly UserCredential[]>
  /** @param id from `list` @throws KeybayError `passkey_not_found` */
  rename(id: string, name: string, options?: CallOptions): Promise<UserCredential>
  /**
   * Removes the passkey from the account, and signals the browser to stop offering it.
   * @throws KeybayError `passkey_not_found`, `last_credential`, `credential_is_factor`
   */
  remove(id: string, options?: CallOptions): Promise<void>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    passkey: PasskeyApi
  }
}
