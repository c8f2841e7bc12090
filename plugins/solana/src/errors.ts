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
