import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Admin } from './admin.js'
import type { ActiveFault } from './faults.js'
import { toJson } from './json.js'
import type { RpcContext } from './rpc/context.js'
import { answer, failure } from './rpc/dispatch.js'
import { invalidRequest, parseError, RpcError } from './rpc-error.js'

/** Maximum body size: as on a node, a larger body is refused before it is read to the end. */
const MAX_BODY_BYTES = 50 * 1024

/** Any page may call the chain, as with public nodes. `/admin` has its own rule. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-max-age': '86400',
}
const JSON_TYPE = { 'content-type': 'application/json' }

/** HTTP server: JSON-RPC at every path, `GET /health`, and `/admin`. */
export function createHttpServer(context: RpcContext, admin: Admin): Server {
  return createServer((request, response) => {
    handle(context, admin, request, response).catch(error => {
      console.error('chain: unexpected error', error)
      response.destroy()
    })
  })
}

async function handle(context: RpcContext, admin: Admin, request: IncomingMessage, response: ServerResponse) {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (path === '/admin' || path.startsWith('/admin/')) {
    const body = await readBody(request)
    if (body === undefined) return tooLarge(response)
    const { status, value, headers } = await admin.handle(request, path, body)
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end(status === 204 ? '' : toJson(value))
    return
  }
  if (request.method === 'OPTIONS') {
    response.writeHead(204, CORS).end()
    return
  }
  if (request.method === 'GET' && path === '/health') {
    response.writeHead(200, CORS).end(context.faults.behind > 0 ? 'behind' : 'ok')
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { ...CORS, allow: 'POST, OPTIONS' })
    response.end('Used HTTP Method is not allowed. POST or OPTIONS is required\n')
    return
  }
  if (!request.headers['content-type']?.startsWith('application/json')) {
    response.writeHead(415, CORS)
    response.end('Supplied content type is not allowed. Content-Type: application/json is required\n')
    return
  }
  const body = await readBody(request)
  if (body === undefined) return tooLarge(response)
  await rpc(context, body, response)
}

function tooLarge(response: ServerResponse): void {
  response.writeHead(413, { ...CORS, connection: 'close' }).end('Request body is too large\n')
}

/** Returns the whole body, or undefined when it is too large. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise(resolve => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > MAX_BODY_BYTES) {
        request.removeAllListeners('data')
        request.resume()
        resolve(undefined)
      } else parts.push(part)
    })
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    // The client disconnected, so the response is discarded.
    request.on('error', () => resolve(undefined))
  })
}

async function rpc(context: RpcContext, body: string, response: ServerResponse): Promise<void> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    reply(response, toJson(failure(null, parseError())))
    return
  }
  const calls = Array.isArray(value) ? value : [value]
  const fault = context.faults.takeForCall(calls.flatMap(getMethod))
  if (fault && (await meet(fault, calls, response))) return
  if (!Array.isArray(value)) {
    const result = answer(context, value)
    reply(response, result ? toJson(result) : '')
    return
  }
  if (value.length === 0) {
    reply(response, toJson(failure(null, invalidRequest())))
    return
  }
  const answers = value.flatMap(element => answer(context, element) ?? [])
  reply(response, answers.length > 0 ? toJson(answers) : '')
}

function reply(response: ServerResponse, text: string): void {
  response.writeHead(200, { ...CORS, ...JSON_TYPE, 'content-length': Buffer.byteLength(text) }).end(text)
}

function getMethod(call: unknown): string[] {
  return typeof call === 'object' && call !== null && 'method' in call && typeof call.method === 'string'
    ? [call.method]
    : []
}

/** Applies a fault. Returns true when the call is finished. */
async function meet(fault: ActiveFault, calls: readonly unknown[], response: ServerResponse): Promise<boolean> {
  switch (fault.type) {
    case 'drop':
      response.destroy()
      return true
    case 'delay':
      await delay(fault.ms ?? 0)
      return false
    case 'malformed':
      reply(response, '{"jsonrpc":"2.0","result":{"context":')
      return true
    default: {
      const error = new RpcError(fault.code ?? fault.status ?? -32603, fault.message ?? 'Injected fault')
      const failures = calls.map(call => failure(getId(call), error))
      const text = toJson(calls.length === 1 ? failures[0] : failures)
      response.writeHead(fault.status ?? 200, { ...CORS, ...JSON_TYPE }).end(text)
      return true
    }
  }
}

function getId(call: unknown): string | number | null {
  if (typeof call !== 'object' || call === null || !('id' in call)) return null
  return typeof call.id === 'string' || typeof call.id === 'number' ? call.id : null
}
