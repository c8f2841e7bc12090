/** The plugin's own error codes, and how a wallet's errors become KeybayErrors. */
import { type ErrorSpec, field, KeybayError, toKeybayError, WALLET_ERROR_CODES } from '@keybay/kernel/spec'

const { INTERNAL_ERROR, CONNECTION_REJECTED, INVALID_PARAMETERS } = WALLET_ERROR_CODES

/** The extension was disabled, removed or updated: its provider in this page no longer works. */
export const extensionGone: ErrorSpec<'extension_gone'> = {
  code: 'extension_gone',
  message: 'The wallet’s extension was updated or turned off. Reload this page',
  walletCode: CONNECTION_REJECTED,
}
/** −32002: a window of the wallet is already open, maybe behind this one. */
export const extensionBusy: ErrorSpec<'extension_busy'> = {
  code: 'extension_busy',
  message: 'The wallet has another request open. Answer it first',
  walletCode: CONNECTION_REJECTED,
}
/** The wallet's response has the wrong form. Nothing of it was used. */
export const extensionAnswerInvalid: ErrorSpec<'extension_answer_invalid'> = {
  code: 'extension_answer_invalid',
  message: 'The wallet’s response is not valid',
  walletCode: INTERNAL_ERROR,
}
/** 4902: the wallet must be given the chain's data first. */
export const evmChainUnknown: ErrorSpec<'evm_chain_unknown'> = {
  code: 'evm_chain_unknown',
  message: 'The wallet does not know this chain. Add it first',
  walletCode: INVALID_PARAMETERS,
}
/** Error numbers of EIP-1193, EIP-3085 and JSON-RPC, which Solana's wallets use too. */
const BY_NUMBER: ReadonlyMap<unknown, ErrorSpec> = new Map<unknown, ErrorSpec>([
  [4900, extensionGone],
  [4902, evmChainUnknown],
  [-32002, extensionBusy],
])
/** Chromium's messages when the content script has lost its extension. */
const GONE =
  /extension context invalidated|receiving end does not exist|message (port|channel) closed|disconnected port/i

function toExtensionError(thrown: unknown, connectorId: string): KeybayError {
  const nested = field(field(field(thrown, 'data'), 'originalError'), 'code')
  const spec =
    BY_NUMBER.get(field(thrown, 'code')) ??
    BY_NUMBER.get(nested) ??
    (GONE.test(String(field(thrown, 'message'))) ? extensionGone : undefined)
  return spec ? new KeybayError(spec, { connectorId, cause: thrown }) : toKeybayError(thrown, connectorId)
}
/** Runs code that calls a wallet, and converts what the wallet throws. */
export async function guard<T>(connectorId: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    throw toExtensionError(thrown, connectorId)
  }
}
