/**
 * Prompts of `account` and of the logins built on it; any UI can respond to them. Types only.
 *
 * A prompt with `submit` stays open until an attempt succeeds. `submit` rejects with the error, and resolves to the
 * only value that `answer` accepts: `prompt.answer(await prompt.submit(code))`.
 */
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
  }
}
