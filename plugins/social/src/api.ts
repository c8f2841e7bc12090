/** `keybay.social`, and what is asked of the user. Types only; `engine.ts` does the work and loads with the first call. */
import type { CallOptions } from '@keybay/account'
import type { SessionState } from '@keybay/kernel'

/** A window that the provider is visited in, or the page itself. */
export type SocialMode = 'popup' | 'redirect'
/** What a provider has to know first, by the name of its field: `{ shop: 'acme.myshopify.com' }`. */
export type SocialInput = Readonly<Record<string, string>>

export interface SocialApi {
  /**
   * Signs in with a provider by its name, e.g. of a list that the host has; links it, when somebody is signed in. Call it in the
   * click: it opens a window.
   *
   * @throws KeybayError `no_provider`, `invalid_provider`, and all that `connect('social:<provider>')` throws
   */
  signIn(provider: string, input?: SocialInput, options?: CallOptions): Promise<SessionState>
  /**
   * Takes the account of a provider from who is signed in.
   *
   * @throws KeybayError `no_provider`, `invalid_provider`, `no_account_linked`, `unlink_error` (the last way to sign in, among others: `cause` says it)
   */
  unlink(provider: string, options?: CallOptions): Promise<void>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    social: SocialApi
  }
  interface KeybayPrompts {
    /**
     * The provider's window is open: the user goes on there. It closes by itself; a UI may show where they are, bring the window
     * to the front, and cancel.
     */
    'social-window': {
      readonly ask: {
        readonly provider: string
        readonly name: string
        /** Call it in the click. */
        focus(): void
      }
      /** Nobody need answer: it is answered when the provider did. */
      readonly answer: 'done'
    }
    /** A provider has to know something first. */
    'social-question': {
      readonly ask: {
        readonly provider: string
        readonly name: string
        readonly label: string
        readonly example: string
        /**
         * Call it in the click: it opens the window.
         *
         * @returns what `answer` takes; undefined where the text can be no answer
         */
        submit(text: string): SocialTicket | undefined
      }
      readonly answer: SocialTicket
    }
  }
}
declare const ticket: unique symbol
/** Opaque: what a question's `submit` made of the answer. */
export interface SocialTicket {
  readonly [ticket]?: true
}
