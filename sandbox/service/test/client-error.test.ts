/** Sends bytes that Node's HTTP parser refuses to a service, over a raw socket. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { defineService } from '../src/define-service.js'

const startDemo = defineService({
  name: 'demo',
  create:
    async () =>
    ({ app }) => {
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
