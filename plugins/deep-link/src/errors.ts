/** The plugin's own error codes, and how a wallet's error numbers map to them. */
import {
  type ErrorSpec,
  hasShape,
  KeybayError,
  redactText,
  toKeybayError,
  userRejected,
  WALLET_ERROR_CODES,
} from '@keybay/kernel/spec'

const { UNKNOWN, DEFAULT, INVALID_PARAMETERS, INTERNAL_ERROR, CONNECTION_REJECTED } = WALLET_ERROR_CODES

/** The response cannot be decrypted, has the wrong form, or was not signed by the requested account. Nothing of it was used. */
export const deepLinkAnswerInvalid: ErrorSpec<'deep_link_answer_invalid'> = {
  code: 'deep_link_answer_invalid',
  message: 'The wallet’s response does not answer the request',
  walletCode: INTERNAL_ERROR,
}
/** Thrown before the page is left. */
export const deepLinkStorageBlocked: ErrorSpec<'deep_link_storage_blocked'> = {
  code: 'deep_link_storage_blocked',
  message:
    'This browser blocks storage for this page, so the wallet’s response could not be read. Allow storage and try again',
  walletCode: INTERNAL_ERROR,
}
/** The wallet forgot this app, or the browser forgot the key. */
export const deepLinkSessionEnded: ErrorSpec<'deep_link_session_ended'> = {
  code: 'deep_link_session_ended',
  message: 'The connection to the wallet has ended. Connect again',
  walletCode: CONNECTION_REJECTED,
}
export const deepLinkWalletOffline: ErrorSpec<'deep_link_wallet_offline'> = {
  code: 'deep_link_wallet_offline',
  message: 'The wallet could not reach the network. Try again',
  walletCode: DEFAULT,
}
export const deepLinkWalletBusy: ErrorSpec<'deep_link_wallet_busy'> = {
  code: 'deep_link_wallet_busy',
  message: 'Another request is open in the wallet. Answer it first',
  walletCode: DEFAULT,
}
export const deepLinkRequestInvalid: ErrorSpec<'deep_link_request_invalid'> = {
  code: 'deep_link_request_invalid',
  message: 'The wallet does not support this request',
  walletCode: INVALID_PARAMETERS,
}
export const deepLinkWalletFailed: ErrorSpec<'deep_link_wallet_failed'> = {
  code: 'deep_link_wallet_failed',
  message: 'Something went wrong in the wallet',
  walletCode: INTERNAL_ERROR,
}
/** An error number that is not documented. */
export const deepLinkWalletUnknown: ErrorSpec<'deep_link_wallet_unknown'> = {
  code: 'deep_link_wallet_unknown',
  message: 'The wallet reported an unknown error',
  walletCode: UNKNOWN,
}
/** Phantom's table, which Solflare refers to. https://docs.phantom.com/solana/errors */
const WALLET_ERRORS: ReadonlyMap<string, ErrorSpec> = new Map<string, ErrorSpec>([
  ['4001', userRejected],
  ['4100', deepLinkSessionEnded],
  ['4900', deepLinkWalletOffline],
  ['-32000', deepLinkRequestInvalid],
  ['-32002', deepLinkWalletBusy],
  ['-32003', deepLinkRequestInvalid],
  ['-32601', deepLinkRequestInvalid],
  ['-32603', deepLinkWalletFailed],
])
const MAX_DETAIL_CHARACTERS = 300
const MAX_CODE_CHARACTERS = 16

export function readWalletError(errorCode: string, errorMessage: string, connectorId: string): KeybayError {
  const spec = WALLET_ERRORS.get(errorCode) ?? deepLinkWalletUnknown
  if (spec === userRejected) return new KeybayError(spec, { connectorId })
  return new KeybayError(spec, {
    connectorId,
    detail: redactText(errorMessage).slice(0, MAX_DETAIL_CHARACTERS),
    details: { errorCode: errorCode.slice(0, MAX_CODE_CHARACTERS) },
  })
}
/** Turns an error that another tab sent back into a KeybayError. */
export function reviveError(sent: unknown, connectorId: string): KeybayError {
  return hasShape<ErrorSpec>(sent, { code: 'string', message: 'string' })
    ? new KeybayError(sent, { connectorId })
    : toKeybayError(sent, connectorId)
}
