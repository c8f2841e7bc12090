/**
 * Errors of this plugin. Literals, because calling the kernel's `errorSpec` here would pull the kernel into the lazy
 * chunk.
 */
import type { ErrorSpec } from '@keybay/kernel'

/**
 * The wallet's response does not prove its address (different text, no signature or no address). Never sent to the API.
 */
export const walletProofInvalid: ErrorSpec<'wallet_proof_invalid'> = {
  code: 'wallet_proof_invalid',
  message: 'The wallet signed a different message than requested',
  walletCode: 6,
}

/** The API accepts this request only after a recent sign-in, and this page cannot ask for one. */
export const reauthenticationRequired: ErrorSpec<'reauthentication_required'> = {
  code: 'reauthentication_required',
  message: 'This needs a sign-in from the last 5 minutes. Sign in again, then retry.',
}
