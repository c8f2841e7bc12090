/** Results of the signing methods, in the form of the Wallet Standard. */
import type { KeybayEvents } from '@keybay/kernel'
import { field } from '@keybay/kernel/spec'

/** Method → the fields of its outputs. */
const FIELDS = {
  signMessage: ['signedMessage', 'signature'],
  signTransaction: ['signedTransaction'],
  signAllTransactions: ['signedTransaction'],
  signAndSendTransaction: ['signature'],
} as const
/** The four signing methods of the protocol. `connect` and `disconnect` are the other two. */
export type DeepLinkSigning = keyof typeof FIELDS
export type DeepLinkMethod = DeepLinkSigning | 'connect' | 'disconnect'
/** The output for one input; all bytes. */
export type DeepLinkOutput<M extends DeepLinkSigning> = {
  readonly [F in (typeof FIELDS)[M][number]]: Uint8Array
}
type Outputs<M extends DeepLinkSigning> = readonly DeepLinkOutput<M>[]

/** Checks results that come from this origin's storage or from another tab. */
export function isOutputs<const M extends DeepLinkSigning>(method: M, value: unknown): value is Outputs<M> {
  return (
    Array.isArray(value) &&
    value.every(output => FIELDS[method].every(name => field(output, name) instanceof Uint8Array))
  )
}

type Resumed = KeybayEvents['operation:resumed']
/**
 * True if the event holds the result of this method; then `result` has its type.
 * @example
 * keybay.on('operation:resumed', event => {
 *   if (isDeepLinkResult(event, 'signMessage')) show(event.connectorId, event.result[0]?.signature)
 * })
 */
export function isDeepLinkResult<const M extends DeepLinkSigning>(
  event: Resumed,
  method: M,
): event is Resumed & { readonly result: Outputs<M> } {
  return event.method === method && event.connectorId.startsWith('deep-link:') && isOutputs(method, event.result)
}
