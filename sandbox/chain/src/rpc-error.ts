/** Error that the client receives as a JSON-RPC error object. Codes and messages are those of an Agave node. */
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

export function parseError(): RpcError {
  return new RpcError(-32700, 'Parse error')
}

export function invalidRequest(message = 'Invalid request'): RpcError {
  return new RpcError(-32600, message)
}

export function methodNotFound(): RpcError {
  return new RpcError(-32601, 'Method not found')
}

export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message)
}

export function internalError(message = 'Internal error'): RpcError {
  return new RpcError(-32603, message)
}

export function signatureVerificationFailure(): RpcError {
  return new RpcError(-32003, 'Transaction signature verification failure')
}

export function nodeBehind(slots: number): RpcError {
  return new RpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots })
}

export function unsupportedTransactionVersion(version: number): RpcError {
  return new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
}
