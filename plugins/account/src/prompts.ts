/**
 * What `account` and the logins built on it ask the user; any UI answers. Types only.
 *
 * A question with `submit` stays open until an attempt is right: `submit` rejects with what was wrong, and what it
 * resolves to is the only value that `answer` takes, so a UI is `prompt.answer(await prompt.submit(code))`.
 */
import type { MfaAction } from '@keybay/kernel/spec'
import type { MfaDevice } from './user.js'

declare const proved: unique symbol
/** What the API answered to a right code: opaque, to be handed back to the prompt. */
export interface Proved {
  readonly [proved]?: true
}
/** How a user proves the second factor: one of the three. */
export type MfaAnswer =
  | { readonly deviceId: string; readonly code: string }
  /** The browser asks for it: call `submit` in the click. */
  | { readonly deviceId: string; readonly passkey: true }
  | { readonly recoveryCode: string }

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    /** A code was sent by email or SMS. */
    'one-time-code': {
      readonly ask: {
        readonly method: 'email' | 'phoneNumber'
        readonly sentTo: string
        /** How many digits a code has: 6. */
        readonly digits: number
        /** ms since epoch */
        readonly expiresAt: number
        /** @throws KeybayError "The code is invalid or expired.", `request_failed`, … The question stays open. */
        submit(code: string): Promise<Proved>
        /** Sends a new one; the old one no longer counts. Resolves with when the new one expires, ms since epoch. */
        resend(): Promise<number>
      }
      readonly answer: Proved
    }
    /** A second factor is needed: to finish signing in, or for one action. */
    mfa: {
      readonly ask: {
        readonly action: 'sign-in' | MfaAction
        readonly devices: readonly MfaDevice[]
        /** Makes a device ready, e.g. sends its mail. Resolves with when that expires, ms since epoch. */
        challenge(deviceId: string): Promise<number>
        /** @throws KeybayError `mfa_invalid_code`, `invalid_passkey`, `user_rejected`, … The question stays open. */
        submit(answer: MfaAnswer): Promise<Proved>
      }
      readonly answer: Proved
    }
    /**
     * What was proved belongs to another user, who is merged into the signed-in one on `merge`. Cancel to leave both as they are. A
     * user with wallets is never merged away: linking then fails with `merge_accounts_invalid`, whose message says what to do.
     */
    'merge-accounts': {
      readonly ask: {
        /** ms since epoch */
        readonly expiresAt: number
      }
      readonly answer: 'merge'
    }
  }
}
