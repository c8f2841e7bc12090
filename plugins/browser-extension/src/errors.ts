/** What this plugin raises besides the kernel's errors. */
import type { ErrorSpec } from '@keybay/kernel'
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'

const { INTERNAL_ERROR, CONNECTION_REJECTED, INVALID_PARAMETERS } = WALLET_ERROR_CODES

/** The extension was disabled, removed or updated: what it left in this page reaches nobody. */
export const extensionGone: ErrorSpec<'extension_gone'> = {
  code: 'extension_gone',
  message: 'The wallet’s extension was updated or turned off. Reload this page',
  walletCode: CONNECTION_REJECTED,
}
/** −32002: a window of the wallet is open already, maybe behind this one. */
export const extensionBusy: ErrorSpec<'extension_busy'> = {
  code: 'extension_busy',
  message: 'The wallet already asks you something. Answer there first',
  walletCode: CONNECTION_REJECTED,
}
/** It said something that is none of the answers it may give. Nothing of it was used. */
export const extensionAnswerInvalid: ErrorSpec<'extension_answer_invalid'> = {
  code: 'extension_answer_invalid',
  message: 'The wallet’s answer is not valid',
  walletCode: INTERNAL_ERROR,
}
/** 4902: the wallet must be told about this chain first. */
export const evmChainUnknown: ErrorSpec<'evm_chain_unknown'> = {
  code: 'evm_chain_unknown',
  message: 'The wallet does not know this chain. Add it first',
  walletCode: INVALID_PARAMETERS,
}
