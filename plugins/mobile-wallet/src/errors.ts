/** What this plugin raises besides the kernel's errors. */
import type { ErrorSpec } from '@keybay/kernel'
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'

const { DEFAULT, INVALID_PARAMETERS, INTERNAL_ERROR, CONNECTION_REJECTED } = WALLET_ERROR_CODES

/** No app on this phone took the call. */
export const mobileWalletNotFound: ErrorSpec<'mobile_wallet_not_found'> = {
  code: 'mobile_wallet_not_found',
  message: 'No wallet app answered. Install one, or open it once, and try again',
  walletCode: CONNECTION_REJECTED,
}
/** Chrome was told not to let this page talk to apps on the phone. */
export const mobileWalletBlocked: ErrorSpec<'mobile_wallet_blocked'> = {
  code: 'mobile_wallet_blocked',
  message: 'This browser does not let this page talk to apps. Allow “Apps on device” in the settings of this site',
  walletCode: CONNECTION_REJECTED,
}
/** The wallet went away in the middle, or never came. */
export const mobileWalletLost: ErrorSpec<'mobile_wallet_lost'> = {
  code: 'mobile_wallet_lost',
  message: 'The connection to the wallet app broke. Try again',
  walletCode: DEFAULT,
}
/** The wallet does not know this app any more. */
export const mobileWalletSessionEnded: ErrorSpec<'mobile_wallet_session_ended'> = {
  code: 'mobile_wallet_session_ended',
  message: 'The wallet does not know this app any more. Connect again',
  walletCode: CONNECTION_REJECTED,
}
export const mobileWalletRequestInvalid: ErrorSpec<'mobile_wallet_request_invalid'> = {
  code: 'mobile_wallet_request_invalid',
  message: 'The wallet cannot sign this',
  walletCode: INVALID_PARAMETERS,
}
/** Signed, and not taken by the network. */
export const mobileWalletNotSent: ErrorSpec<'mobile_wallet_not_sent'> = {
  code: 'mobile_wallet_not_sent',
  message: 'The wallet signed the transaction, but could not send it',
  walletCode: INTERNAL_ERROR,
}
/** It has the wrong form, or is for something else. Nothing of it was used. */
export const mobileWalletAnswerInvalid: ErrorSpec<'mobile_wallet_answer_invalid'> = {
  code: 'mobile_wallet_answer_invalid',
  message: 'The wallet’s answer is not valid',
  walletCode: INTERNAL_ERROR,
}
