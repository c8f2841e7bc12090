/** What this plugin raises besides the messages of the specification (`@keybay/kernel/spec`). */
import { type ErrorSpec, errorSpec } from '@keybay/kernel'

export const amountInvalid: ErrorSpec<'amount_invalid'> = /* @__PURE__ */ errorSpec(
  'amount_invalid',
  'Not an amount that the chain can hold',
  5,
)
/** An account that does not exist yet must receive enough to be kept by the chain; `details` says how much. */
export const destinationNeedsRent: ErrorSpec<'destination_needs_rent'> = /* @__PURE__ */ errorSpec(
  'destination_needs_rent',
  'The destination is a new account and must receive more',
)
/** The chain named no fee, five times. */
export const feeUnknown: ErrorSpec<'fee_unknown'> = /* @__PURE__ */ errorSpec('fee_unknown', 'The fee is not known')
/** No answer, or no time for one, after every retry. */
export const rpcUnreachable: ErrorSpec<'rpc_unreachable'> = /* @__PURE__ */ errorSpec(
  'rpc_unreachable',
  'The chain does not answer',
)
/** It answered with an error; its code and data are in `details`. */
export const rpcRefused: ErrorSpec<'rpc_refused'> = /* @__PURE__ */ errorSpec(
  'rpc_refused',
  'The chain refused the request',
)
export const rpcMalformed: ErrorSpec<'rpc_malformed'> = /* @__PURE__ */ errorSpec(
  'rpc_malformed',
  'The chain gave an answer that makes no sense',
)
