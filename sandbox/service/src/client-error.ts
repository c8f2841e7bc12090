/** Answers requests that Node's HTTP parser refuses, which never reach the app, as JSON like every other error. */
import { Server as HttpServer, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AdminErrors } from './http/admin.js'
import { JSON_HEADERS } from './http/json.js'

const REFUSALS: Readonly<Record<string, readonly [status: number, expected: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'a shorter address and shorter headers'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the whole request sooner'],
}

type InvalidRequest = AdminErrors['invalidRequest']

/** @param invalidRequest returns the service's own error, so that clients read one format */
export function answerClientErrors(
  server: Server,
  invalidRequest: InvalidRequest = ({ expected }) => new Error(`Expected ${expected}.`),
): void {
  if (!(server instanceof HttpServer)) return
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set()
    open.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  })
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    // A second head inside a response that has begun would reach the client as its body.
    const hasBegun = [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    if (!socket.writable || code === 'ECONNRESET' || hasBegun) return void socket.destroy()
    const [status, expected] = REFUSALS[code] ?? [400, 'a valid HTTP request']
    socket.end(serialize(status, invalidRequest({ expected })), () => socket.destroy())
  })
}

function serialize(status: number, error: Error): string {
  const body = JSON.stringify('toJSON' in error ? error : { code: 'invalid_request', message: error.message })
  const headers = {
    ...JSON_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
