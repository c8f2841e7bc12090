/** An error that goes to the client as a JSON-RPC error object. Codes and messages are those of an Agave node. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export const parseError = (): RpcError => new RpcError(-32700, 'Parse error')
export const invalidRequest = (message = 'Invalid request'): RpcError => new RpcError(-32600, message)
export const methodNotFound = (): RpcError => new RpcError(-32601, 'Method not found')
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message)
export const internalError = (message = 'Internal error'): RpcError => new RpcError(-32603, message)

export const blockCleanedUp = (slot: number, first: number): RpcError =>
  new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`)
export const preflightFailure = (text: string, result: unknown): RpcError =>
  new RpcError(-32002, `Transaction simulation failed: ${text}`, result)
export const signatureVerificationFailure = (): RpcError =>
  new RpcError(-32003, 'Transaction signature verification failure')
export const blockNotAvailable = (slot: number): RpcError =>
  new RpcError(-32004, `Block not available for slot ${slot}`)
export const nodeBehind = (slots: number): RpcError =>
  new RpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots })
export const slotSkipped = (slot: number): RpcError =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
export const unsupportedTransactionVersion = (version: number): RpcError =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
export const minContextSlotNotReached = (slot: number): RpcError =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
