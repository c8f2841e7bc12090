/** What this plugin raises besides the kernel's errors, and which of them a wallet's own error number is. */
import type { ErrorSpec } from '@keybay/kernel'
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'

const { UNKNOWN, DEFAULT, INVALID_PARAMETERS, INTERNAL_ERROR, CONNECTION_REJECTED } = WALLET_ERROR_CODES

/** It cannot be opened, has the wrong form, or was not signed by the account that was asked. Nothing of it was used. */
export const deepLinkAnswerInvalid: ErrorSpec<'deep_link_answer_invalid'> = {
  code: 'deep_link_answer_invalid',
  message: 'The wallet’s answer is not an answer to what was asked',
  walletCode: INTERNAL_ERROR,
}
/** Raised before the page is left. */
export const deepLinkStorageBlocked: ErrorSpec<'deep_link_storage_blocked'> = {
  code: 'deep_link_storage_blocked',
  message: 'This browser keeps nothing for this page, so the wallet’s answer could not be read',
  walletCode: INTERNAL_ERROR,
}
/** The wallet forgot this app, or the browser forgot the key. */
export const deepLinkSessionEnded: ErrorSpec<'deep_link_session_ended'> = {
  code: 'deep_link_session_ended',
  message: 'The wallet and this app no longer know each other: connect again',
  walletCode: CONNECTION_REJECTED,
}
export const deepLinkWalletOffline: ErrorSpec<'deep_link_wallet_offline'> = {
  code: 'deep_link_wallet_offline',
  message: 'The wallet could not reach the network',
  walletCode: DEFAULT,
}
export const deepLinkWalletBusy: ErrorSpec<'deep_link_wallet_busy'> = {
  code: 'deep_link_wallet_busy',
  message: 'Another request is open in the wallet',
  walletCode: DEFAULT,
}
export const deepLinkRequestInvalid: ErrorSpec<'deep_link_request_invalid'> = {
  code: 'deep_link_request_invalid',
  message: 'The wallet cannot do what it was asked for',
  walletCode: INVALID_PARAMETERS,
}
export const deepLinkWalletFailed: ErrorSpec<'deep_link_wallet_failed'> = {
  code: 'deep_link_wallet_failed',
  message: 'Something went wrong in the wallet',
  walletCode: INTERNAL_ERROR,
}
/** A number that no documentation names. */
export const deepLinkWalletUnknown: ErrorSpec<'deep_link_wallet_unknown'> = {
  code: 'deep_link_wallet_unknown',
  message: 'The wallet answered with an error',
  walletCode: UNKNOWN,
}

/**
 * Phantom's table, which Solflare refers to; 4001, the user's refusal, is the kernel's `user_rejected`.
 * https://docs.phantom.com/solana/errors
 */
export const WALLET_ERRORS: ReadonlyMap<string, ErrorSpec> = new Map<string, ErrorSpec>([
  ['4100', deepLinkSessionEnded],
  ['4900', deepLinkWalletOffline],
  ['-32000', deepLinkRequestInvalid],
  ['-32002', deepLinkWalletBusy],
  ['-32003', deepLinkRequestInvalid],
  ['-32601', deepLinkRequestInvalid],
  ['-32603', deepLinkWalletFailed],
])
