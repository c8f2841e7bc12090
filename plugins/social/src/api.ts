/** `keybay.social`; its prompts are among those of `@keybay/account`. Types only. */
import type { CallOptions } from '@keybay/account'
import type { SessionState } from '@keybay/kernel'

/** Visits the provider in a window, or leaves the page. */
export type SocialMode = 'popup' | 'redirect'
/** Answers to a provider's question, by the name of its field: `{ shop: 'acme.myshopify.com' }`. */
export type SocialInput = Readonly<Record<string, string>>

export interface SocialApi {
  /**
   * Signs in with a provider by its name, or links it to the signed-in user. Call it in the click: it opens a window.
   * @throws KeybayError `no_provider`, `invalid_provider`, and all errors of `connect('social:<provider>')`
   */
  signIn(provider: string, input?: SocialInput, options?: CallOptions): Promise<SessionState>
  /**
   * Unlinks a provider's account from the signed-in user.
   * @throws KeybayError `no_provider`, `invalid_provider`, `no_account_linked`, `unlink_error` (its `cause` says why, e.g. that
   * this is the last way to sign in)
   */
  unlink(provider: string, options?: CallOptions): Promise<void>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    social: SocialApi
  }
}
