/** `keybay.passkey`. Types only; `engine.ts` does the work and loads with the first call. */
import type { CallOptions, UserCredential } from '@keybay/account'
import type { SessionState } from '@keybay/kernel'

/** What `connect('passkey', …)` takes. Nothing: signs in with a passkey that is there; signed in, makes and links one. */
export interface PasskeyInput {
  /** Makes a passkey and with it a new user; `userName` is needed. */
  readonly signUp?: boolean
  /**
   * Whose passkey it is, as the browser will offer it: an email address, or what else the user is known by. To link one
   * it is needed only where the user has no email, username or phone number.
   */
  readonly userName?: string
  /** What the passkey itself is called in `list()`, e.g. “Laptop”; at most 64 characters. */
  readonly name?: string
}

export interface PasskeyApi {
  /** Whether this browser knows WebAuthn. False on a server. */
  supported(): boolean
  /**
   * Offers passkeys in the browser's own list below `<input autocomplete="username webauthn">`, and waits in the
   * background, outside the attempts, until the user picks one.
   *
   * @returns the session; undefined when it ended without one: aborted, disposed, another passkey ceremony began, somebody
   *   is signed in, the user declined, or the browser has no such list
   * @throws KeybayError `webauthn_unsupported`, `invalid_passkey`, `request_failed`, …
   * @example
   * useEffect(() => {
   *   const leaving = new AbortController()
   *   keybay.passkey.autofill({ signal: leaving.signal }).catch(showError)
   *   return () => leaving.abort()
   * }, [])
   */
  autofill(options?: CallOptions): Promise<SessionState | undefined>
  /** The signed-in user's passkeys; none when nobody is signed in. */
  list(options?: CallOptions): Promise<readonly UserCredential[]>
  /** @param id as `list` has it @throws KeybayError `passkey_not_found` */
  rename(id: string, name: string, options?: CallOptions): Promise<UserCredential>
  /**
   * The passkey signs in no more, and a browser that can be told so no longer offers it.
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
