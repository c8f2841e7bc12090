/** Errors of this plugin beyond those of the specification (`@keybay/kernel/spec`). */
import type { ErrorSpec } from '@keybay/kernel'

export const amountInvalid: ErrorSpec<'amount_invalid'> = {
  code: 'amount_invalid',
  message: 'Not an amount that the chain can hold',
  walletCode: 5,
}
/** A new account must receive at least its rent exemption; `details` holds the minimum. */
export const destinationNeedsRent: ErrorSpec<'destination_needs_rent'> = {
  code: 'destination_needs_rent',
  message: 'The destination is a new account and must receive more',
}
/** The chain returned no fee in five tries. */
export const feeUnknown: ErrorSpec<'fee_unknown'> = { code: 'fee_unknown', message: 'The fee is not known' }
/** No response, or a timeout, after every retry. */
export const rpcUnreachable: ErrorSpec<'rpc_unreachable'> = {
  code: 'rpc_unreachable',
  message: 'The chain does not answer',
}
/** The node returned an error; `details` holds its code and data. */
export const rpcRefused: ErrorSpec<'rpc_refused'> = { code: 'rpc_refused', message: 'The chain refused the request' }
export const rpcMalformed: ErrorSpec<'rpc_malformed'> = {
  code: 'rpc_malformed',
  message: 'The chain gave an answer that makes no sense',
}
/** The user's node URL must use https, or http on this machine, and contain no password. */
export const rpcUrlInvalid: ErrorSpec<'rpc_url_invalid'> = {
  code: 'rpc_url_invalid',
  message: 'Not the address of a node',
  walletCode: 5,
}
/** The user's node belongs to another chain; `details.other` is its cluster if known. */
export const rpcWrongNetwork: ErrorSpec<'rpc_wrong_network'> = {
  code: 'rpc_wrong_network',
  message: 'That node is of another network',
  walletCode: 5,
}
/** The token's own rules forbid the transfer, detected before signing; `details.reason` names the rule. */
export const tokenRefused: ErrorSpec<'token_refused'> = {
  code: 'token_refused',
  message: 'The token cannot be transferred like this',
  walletCode: 5,
}
/** The receiving account accepts tokens only with a memo (Token-2022). */
export const memoRequired: ErrorSpec<'memo_required'> = {
  code: 'memo_required',
  message: 'The receiver asks for a note with every transfer',
  walletCode: 5,
}
/** The product API had no better transaction, or none that is safe to sign (S7.1). Logged, but never shown to the user. */
export const optimizeFailed: ErrorSpec<'optimize_failed'> = {
  code: 'optimize_failed',
  message: 'The transaction could not be optimized',
}
