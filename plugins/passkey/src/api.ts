/** `keybay.passkey`. Types only; `engine.ts` does the work and loads with the first call. */
import type { CallOptions, UserCredential } from '@keybay/account'
import type { SessionState } from '@keybay/kernel'

/** Input of `connect('passkey', …)`. Without it: signs in, or creates and links a passkey when the user is signed in. */
export interface PasskeyInput {
  /** Creates a passkey and a new user; requires `userName`. */
  readonly signUp?: boolean
  /**
   * The name under which the browser offers the passkey, for example an email address. Linking requires it only for a
   * user without email, username and phone number.
   */
  readonly userName?: string
  /** The passkey's name in `list()`, e.g. “Laptop”; at most 64 characters. */
  readonly name?: string
}

export interface PasskeyApi {
  /** True if this browser supports WebAuthn. False on a server. */
  supported(): boolean
  /**
   * Offers passkeys in the browser's list below `<input autocomplete="username webauthn">`, and waits in the background,
   * outside the attempts, until the user picks one.
   *
   * @returns the session, or undefined when it ended without one: aborted, disposed, another passkey ceremony began, the
   *   user is already signed in or declined, or the browser has no such list
   * @throws KeybayError `webauthn_unsupported`, `invalid_passkey`, `request_failed`, …
   * @example
   * useEffect(() => {
   *   const leaving = new AbortController()
   *   keybay.passkey.autofill({ signal: leaving.signal }).catch(showError)
   *   return () => leaving.abort()
   * }, [])
   */
  autofill(options?: CallOptions): Promise<SessionState | undefined>
  /** Lists the signed-in user's passkeys. Empty when no user is signed in. */
  list(options?: CallOptions): Promise<readonly UserCredential[]>
  /** @param id from `list` @throws KeybayError `passkey_not_found` */
  rename(id: string, name: string, options?: CallOptions): Promise<UserCredential>
  /**
   * Removes the passkey from the account, and asks the browser to stop offering it.
   *
   * @throws KeybayError `passkey_not_found`, `last_credential`, `credential_is_factor`
   */
  remove(id: string, options?: CallOptions): Promise<void>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    passkey: PasskeyApi
  }
}
