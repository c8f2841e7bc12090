/** What this plugin raises besides the messages of the specification (`@keybay/kernel/spec`). */
import type { ErrorSpec } from '@keybay/kernel'

export const amountInvalid: ErrorSpec<'amount_invalid'> = {
  code: 'amount_invalid',
  message: 'Not an amount that the chain can hold',
  walletCode: 5,
}
/** An account that does not exist yet must receive enough to be kept by the chain; `details` says how much. */
export const destinationNeedsRent: ErrorSpec<'destination_needs_rent'> = {
  code: 'destination_needs_rent',
  message: 'The destination is a new account and must receive more',
}
/** The chain named no fee, five times. */
export const feeUnknown: ErrorSpec<'fee_unknown'> = { code: 'fee_unknown', message: 'The fee is not known' }
/** No answer, or no time for one, after every retry. */
export const rpcUnreachable: ErrorSpec<'rpc_unreachable'> = {
  code: 'rpc_unreachable',
  message: 'The chain does not answer',
}
/** It answered with an error; its code and data are in `details`. */
export const rpcRefused: ErrorSpec<'rpc_refused'> = { code: 'rpc_refused', message: 'The chain refused the request' }
export const rpcMalformed: ErrorSpec<'rpc_malformed'> = {
  code: 'rpc_malformed',
  message: 'The chain gave an answer that makes no sense',
}
/** Of a node that the user names: https, or http on this machine, without a password in it. */
export const rpcUrlInvalid: ErrorSpec<'rpc_url_invalid'> = {
  code: 'rpc_url_invalid',
  message: 'Not the address of a node',
  walletCode: 5,
}
/** The node that the user names is of another chain; `details.other` is its cluster where that is known. */
export const rpcWrongNetwork: ErrorSpec<'rpc_wrong_network'> = {
  code: 'rpc_wrong_network',
  message: 'That node is of another network',
  walletCode: 5,
}
/** The token's own rules forbid it, told before anything is signed; `details.reason` says which. */
export const tokenRefused: ErrorSpec<'token_refused'> = {
  code: 'token_refused',
  message: 'The token cannot be transferred like this',
  walletCode: 5,
}
/** The receiving account takes no token without a note (Token-2022). */
export const memoRequired: ErrorSpec<'memo_required'> = {
  code: 'memo_required',
  message: 'The receiver asks for a note with every transfer',
  walletCode: 5,
}
/** The product API had no better transaction, or none that may be signed (S7.1). It is logged; nobody is shown it. */
export const optimizeFailed: ErrorSpec<'optimize_failed'> = {
  code: 'optimize_failed',
  message: 'The transaction could not be optimized',
}
