/** What the signing methods come back with, in the form of Wallet Standard. */
import type { KeybayEvents } from '@keybay/kernel'

/** method → the fields of each of its outputs */
const FIELDS = {
  signMessage: ['signedMessage', 'signature'],
  signTransaction: ['signedTransaction'],
  signAllTransactions: ['signedTransaction'],
  signAndSendTransaction: ['signature'],
} as const
/** The four that sign. `connect` and `disconnect` are the other two of the protocol's six. */
export type DeepLinkSigning = keyof typeof FIELDS
export type DeepLinkMethod = DeepLinkSigning | 'connect' | 'disconnect'
/** One for each input; all bytes. */
export type DeepLinkOutput<M extends DeepLinkSigning> = {
  readonly [F in (typeof FIELDS)[M][number]]: Uint8Array
}
type Outputs<M extends DeepLinkSigning> = readonly DeepLinkOutput<M>[]

/** From storage of this origin, or another tab of it. */
export function isOutputs<const M extends DeepLinkSigning>(method: M, value: unknown): value is Outputs<M> {
  return (
    Array.isArray(value) &&
    value.every(one => FIELDS[method].every(field => Reflect.get(Object(one), field) instanceof Uint8Array))
  )
}

type Resumed = KeybayEvents['operation:resumed']
/**
 * Whether a wallet came back with the result of this method; then `result` has its type.
 *
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
