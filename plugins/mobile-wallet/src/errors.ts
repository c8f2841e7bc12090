/** Error codes of this plugin. */
import type { ErrorSpec } from '@keybay/kernel'
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'

const { DEFAULT, INVALID_PARAMETERS, INTERNAL_ERROR, CONNECTION_REJECTED } = WALLET_ERROR_CODES

/** Android found no app for the address. */
export const mobileWalletNotFound: ErrorSpec<'mobile_wallet_not_found'> = {
  code: 'mobile_wallet_not_found',
  message: 'No wallet app opened. Install one, or open it once, and try again',
  walletCode: CONNECTION_REJECTED,
}
/** The user blocked this page from reaching apps on the phone. */
export const mobileWalletBlocked: ErrorSpec<'mobile_wallet_blocked'> = {
  code: 'mobile_wallet_blocked',
  message: 'This browser blocks this page from reaching apps. Allow “Apps on device” in the site settings',
  walletCode: CONNECTION_REJECTED,
}
/** The wallet's app closed the connection, or never opened it. */
export const mobileWalletLost: ErrorSpec<'mobile_wallet_lost'> = {
  code: 'mobile_wallet_lost',
  message: 'The connection to the wallet app broke. Try again',
  walletCode: DEFAULT,
}
/** The wallet refused the stored authorisation. */
export const mobileWalletSessionEnded: ErrorSpec<'mobile_wallet_session_ended'> = {
  code: 'mobile_wallet_session_ended',
  message: 'The wallet no longer knows this app. Connect again',
  walletCode: CONNECTION_REJECTED,
}
export const mobileWalletRequestInvalid: ErrorSpec<'mobile_wallet_request_invalid'> = {
  code: 'mobile_wallet_request_invalid',
  message: 'The wallet cannot sign this. Check what you send to it',
  walletCode: INVALID_PARAMETERS,
}
/** The wallet signed the transaction and failed to send it. */
export const mobileWalletNotSent: ErrorSpec<'mobile_wallet_not_sent'> = {
  code: 'mobile_wallet_not_sent',
  message: 'The wallet signed the transaction, but could not send it. Check whether it arrived before you try again',
  walletCode: INTERNAL_ERROR,
}
/** The response has the wrong form or is for another request; it was discarded. */
export const mobileWalletAnswerInvalid: ErrorSpec<'mobile_wallet_answer_invalid'> = {
  code: 'mobile_wallet_answer_invalid',
  message: 'The wallet’s response is not valid. Try again',
  walletCode: INTERNAL_ERROR,
}
