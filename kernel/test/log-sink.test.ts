// @vitest-environment happy-dom
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeybay, definePlugin, type Kernel } from '../src/index.js'
import { logSink } from '../src/log-sink.js'
import { VERSION } from '../src/version.js'
import { testClock } from './helpers.js'

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}
let received: Received[] = []
let next: (() => void) | undefined
const server = createServer((request, response) => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
  if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
  let text = ''
  request.on('data', chunk => {
    text += chunk
  })
  request.on('end', () => {
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
    response.writeHead(200, cors).end()
    next?.()
  })
})
beforeEach(() => {
  received = []
  return new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise<unknown>(resolve => server.close(resolve)))

function start() {
  const clock = testClock()
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  let inner: Kernel | undefined
  createKeybay({
    appName: 'x',
    environmentId: 'env',
    baseApiUrl: `http://127.0.0.1:${port}/api/v0`,
    logLevel: 'silent',
    clock,
    plugins: [
      logSink(),
      definePlugin({
        id: 'probe',
        version: '0.1.0',
        setup(kernel) {
          inner = kernel
          return {}
        },
      }),
    ],
  })
  if (!inner) throw new Error('setup did not run')
  return { clock, logger: inner.logger, session: inner.session }
}

function arrival() {
  return new Promise<void>(resolve => {
    next = resolve
  })
}

describe('the error sink', () => {
  it('[S7.6] the error sink posts error entries only, in batches, as an array with all their fields', async () => {
    const { clock, logger } = start()
    const arrived = arrival()
    logger.warn('not sent')
    logger.error('one', new Error('cause'))
    logger.error('two', { refreshToken: 'secret' })
    await clock.advance(1000)
    await arrived
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      url: '/api/v1/env',
      headers: { 'content-type': 'application/json' },
      body: [
        {
          level: 'error',
          message: 'one',
          meta: { message: 'cause' },
          stack: expect.stringContaining('Error: cause'),
          url: { origin: location.origin, pathname: location.pathname },
          userAgent: navigator.userAgent,
        },
        { message: 'two', meta: { refreshToken: '[redacted]' } },
      ],
    })
  })
  it('[S7.2] [S7.6] the error sink sends version headers, and the bearer token only while it is valid', async () => {
    const { clock, logger, session } = start()
    const send = async (message: string) => {
      const arrived = arrival()
      logger.error(message)
      await clock.advance(1000)
      await arrived
      return received.at(-1)?.headers
    }
    const versions = { 'x-keybay-version': VERSION, 'x-keybay-api-version': 'v0' }
    expect(await send('signed out')).toMatchObject(versions)
    expect(received[0]?.headers.authorization).toBeUndefined()
    const token = { value: 'the-token', expiresAt: clock.now() + 60_000 }
    await session.set({ status: 'authenticated', userId: 'ada' }, token)
    expect(await send('signed in')).toMatchObject({ ...versions, authorization: 'Bearer the-token' })
    await clock.advance(60_000)
    expect(await send('expired')).not.toHaveProperty('authorization')
    session.register({ renew: () => Promise.reject(new Error('offline')) })
    expect(await send('cannot be renewed')).not.toHaveProperty('authorization')
  })
  it('[S7.6] the error sink queues 50 entries at most, and starts an empty batch after sending', async () => {
    const { clock, logger } = start()
    let arrived = arrival()
    for (let i = 0; i < 500; i++) logger.error(`e${i}`)
    await clock.advance(1000)
    await arrived
    expect(received[0]?.body).toHaveLength(50)
    arrived = arrival()
    logger.error('later')
    await clock.advance(1000)
    await arrived
    expect(received[1]?.body).toHaveLength(1)
  })
})
