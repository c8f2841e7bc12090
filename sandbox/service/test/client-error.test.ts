/** Sends bytes that Node's HTTP parser refuses to a service, over a raw socket. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { defineService } from '../src/define-service.js'
import { answerRequest, bodyReader, HttpError } from '../src/http/index.js'
import type { LogLine } from '../src/log.js'

const invalidRequest = { code: 'invalid_request', message: 'Expected another request.' }
const { readBody } = bodyReader({
  payloadTooLarge: () => new HttpError(invalidRequest, 413),
  jsonNeeded: () => new HttpError(invalidRequest, 415),
  invalidRequest: details => new HttpError(invalidRequest, 400, details),
})

const startDemo = defineService({
  name: 'demo',
  requestTimeoutMs: 300,
  create:
    async ({ log }) =>
    ({ app }) => {
      const options = {
        log,
        route: '/body',
        knownFailure: (error: unknown) => (error instanceof HttpError ? error : undefined),
        internalError: () => new HttpError({ code: 'internal_error', message: '' }, 500),
        serviceUnavailable: () => new HttpError({ code: 'service_unavailable', message: '' }, 503),
      }
      app.post('/body', c =>
        answerRequest(c, options, async () => ({ status: 200, value: await readBody(c.req.raw, 100) })),
      )
      app.get('/busy', c => answerRequest(c, options, () => Promise.reject(options.serviceUnavailable())))
      app.get(
        '/begun',
        () => new Response(new ReadableStream({ start: stream => stream.enqueue(Buffer.from('part')) })),
      )
      return { facts: {} }
    },
})

async function answerTo(bytes: string): Promise<string> {
  const service = await startDemo({})
  onTestFinished(service.stop)
  const socket = connect(service.port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

it.each([
  ['a head over 16 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ['a head over 16 KiB after a whole request', `GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /${'a'.repeat(20_000)}`, 431],
  ['bytes that are not HTTP', 'secret\r\n\r\n', 400],
])('answers %s with a JSON error and closes the connection', async (_, bytes, status) => {
  const answer = await answerTo(bytes)
  const [head = '', body = ''] = answer.slice(answer.lastIndexOf('HTTP/1.1')).split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head).toContain('connection: close')
  expect(JSON.parse(body)).toEqual({ code: 'invalid_request', message: expect.stringMatching(/^Expected /) })
  expect(answer).not.toMatch(/secret|HPE_|aaaa/)
})

it('writes no error into a response that has begun', async () => {
  const service = await startDemo({})
  onTestFinished(service.stop)
  const socket = connect(service.port, '127.0.0.1')
  socket.write('GET /begun HTTP/1.1\r\nhost: a\r\n\r\n')
  const chunks: string[] = []
  for await (const chunk of socket) {
    chunks.push(String(chunk))
    if (chunks.join('').includes('part')) socket.write('secret\r\n\r\n')
  }
  expect(chunks.join('').match(/HTTP\/1\.1/g)).toHaveLength(1)
})

it.each([
  ['a length', 'content-length: 50\r\n\r\nhello'],
  ['chunks', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
])('answers 408 to a body with %s that is too slow, and logs no failure of the service', async (_, rest) => {
  const logs: LogLine[] = []
  const service = await startDemo({ log: line => logs.push(line) })
  onTestFinished(service.stop)
  const socket = connect(service.port, '127.0.0.1')
  socket.write(`POST /body HTTP/1.1\r\nhost: a\r\n${rest}`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
  await expect.poll(() => logs).toHaveLength(1)
  expect(logs).toMatchObject([{ level: 'info', message: 'request', status: 400 }])
})

it('tells the client when to retry after every 503', async () => {
  const service = await startDemo({})
  onTestFinished(service.stop)
  const { status, headers } = await fetch(`${service.internalUrl}/busy`)
  expect([status, headers.get('retry-after')]).toEqual([503, '2'])
})
