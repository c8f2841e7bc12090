import { internalError, invalidRequest, methodNotFound, RpcError } from '../rpc-error.js'
import { accountMethods } from './accounts.js'
import { blockhashMethods } from './blockhash.js'
import { blockMethods } from './blocks.js'
import type { Method, RpcContext } from './context.js'
import { historyMethods } from './history.js'
import { nodeMethods } from './node.js'
import { Params } from './params.js'
import { sendMethods } from './send.js'
import { tokenMethods } from './tokens.js'

export const METHODS: ReadonlyMap<string, Method> = new Map(
  [nodeMethods, accountMethods, tokenMethods, blockhashMethods, sendMethods, historyMethods, blockMethods].flatMap(
    Object.entries,
  ),
)

export type Id = string | number | null

export interface Request {
  /** Absent for a notification, which gets no response. */
  readonly id: Id | undefined
  readonly method: string
  readonly params: unknown
}

export type Response =
  | { readonly jsonrpc: '2.0'; readonly result: unknown; readonly id: Id }
  | { readonly jsonrpc: '2.0'; readonly error: unknown; readonly id: Id }

export function success(id: Id, result: unknown): Response {
  return { jsonrpc: '2.0', result, id }
}

/** Returns an error response. Anything but an RpcError is a bug: it is logged, and the client gets no details. */
export function failure(id: Id, error: unknown): Response {
  if (!(error instanceof RpcError)) console.error('chain: unexpected error', error)
  const { code, message, data } = error instanceof RpcError ? error : internalError()
  return { jsonrpc: '2.0', error: { code, message, data }, id }
}

/** Parses a JSON-RPC 2.0 request object. @throws RpcError -32600 */
export function toRequest(value: unknown): Request {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidRequest()
  const { jsonrpc, id, method, params }: { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown } = value
  if (jsonrpc !== '2.0' || typeof method !== 'string') throw invalidRequest()
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') throw invalidRequest()
  return { id, method, params }
}

/** Runs one call. @throws RpcError */
function call(context: RpcContext, { method, params }: Request): unknown {
  const handler = METHODS.get(method)
  if (!handler) throw methodNotFound()
  return handler.run(context, new Params(params, handler.required))
}

/** Runs one element of a request body; returns undefined for a notification. */
export function answer(context: RpcContext, value: unknown): Response | undefined {
  let id: Id = null
  try {
    const request = toRequest(value)
    id = request.id ?? null
    const response = success(id, call(context, request))
    return request.id === undefined ? undefined : response
  } catch (error) {
    return failure(id, error)
  }
}
