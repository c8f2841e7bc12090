/**
 * Prompts of `account` and of the logins built on it; any UI can respond to them. Types only.
 *
 * A prompt with `submit` stays open until an attempt succeeds. `submit` rejects with the error, and resolves to the
 * only value that `answer` accepts: `prompt.answer(await prompt.submit(code))`.
 */
import type { KeybayError } from '@keybay/kernel'
import type { MfaAction } from '@keybay/kernel/spec'
import type { MfaDevice } from './user.js'

declare const proved: unique symbol
/** API response to a correct code: opaque; pass it back to the prompt. */
export interface Proved {
  readonly [proved]?: true
}
/** Proof of the second factor, in one of three forms. */
export type MfaAnswer =
  | { readonly deviceId: string; readonly code: string }
  /** The browser prompts for the passkey: call `submit` in the click. */
  | { readonly deviceId: string; readonly passkey: true }
  | { readonly recoveryCode: string }

declare const ticket: unique symbol
/** The value that opens a provider's window; pass it back to the prompt. */
export interface SocialTicket {
  readonly [ticket]?: true
}

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    /** Code sent by email or SMS. */
    'one-time-code': {
      readonly ask: {
        readonly method: 'email' | 'phoneNumber'
        readonly sentTo: string
        readonly digits: number
        /** ms since epoch */
        readonly expiresAt: number
        /** @throws KeybayError "The code is invalid or expired.", `request_failed`, … The prompt stays open. */
        submit(code: string): Promise<Proved>
        /** Sends a new code; the old one stops working. Resolves with the new expiry, in ms since epoch. */
        resend(): Promise<number>
      }
      readonly answer: Proved
    }
    /** Second factor, required to finish signing in or for one action. */
    mfa: {
      readonly ask: {
        readonly action: 'sign-in' | MfaAction
        readonly devices: readonly MfaDevice[]
        /** Prepares a device, e.g. sends its email. Resolves with the challenge's expiry, in ms since epoch. */
        challenge(deviceId: string): Promise<number>
        /** @throws KeybayError `mfa_invalid_code`, `invalid_passkey`, `user_rejected`, … The prompt stays open. */
        submit(answer: MfaAnswer): Promise<Proved>
      }
      readonly answer: Proved
    }
    /**
     * The proved credential belongs to another user; `merge` merges that user into the signed-in one. Cancel to leave
     * both unchanged. A user with wallets can't be merged into another: linking fails with `merge_accounts_invalid`,
     * whose message says what to do.
     */
    'merge-accounts': {
      readonly ask: {
        /** ms since epoch */
        readonly expiresAt: number
      }
      readonly answer: 'merge'
    }
    /** Asks for the address when `connect` was called without one. */
    contact: {
      readonly ask: {
        readonly method: 'email' | 'phoneNumber'
        /** The error of the previous answer, when the prompt repeats. */
        readonly error?: KeybayError | undefined
      }
      /** As the user typed it. */
      readonly answer: string
    }
    /** Says that the provider's window is open. It closes by itself; a UI may bring the window to the front, and cancel. */
    'social-window': {
      readonly ask: {
        readonly provider: string
        readonly name: string
        /** Call it in the click. */
        focus(): void
      }
      /** Given by the plugin once the provider has responded. */
      readonly answer: 'done'
    }
    /** Asks for a value that the flow needs first. */
    'social-question': {
      readonly ask: {
        readonly provider: string
        readonly name: string
        readonly label: string
        readonly example: string
        /**
         * Checks the text and opens the window: call it in the click.
         * @returns the value for `answer`, or undefined if the text is not valid
         */
        submit(text: string): SocialTicket | undefined
      }
      readonly answer: SocialTicket
    }
  }
}
