/** Tests how a service's process ends on SIGTERM: what a load balancer sees, and what its clients get. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startProgram } from './program.js'

const file = fileURLToPath(new URL('slow-service.mjs', import.meta.url))

it('after SIGTERM /ready is 503 at once, new requests still get answers, and a request of 6 s ends whole', {
  timeout: 60_000,
}, async () => {
  const { child, ended } = startProgram(file, {})
  const [{ url }] = await once(child, 'message')
  const get = (path: string) => fetch(url + path, { headers: { connection: 'close' } })
  expect((await get('/ready')).status).toBe(200)
  // As browsers do, connects ahead of a request that never comes. It must not delay the end.
  const unused = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await once(unused, 'connect')
  const slow = get('/slow').then(response => response.text())
  await once(child, 'message')
  const started = performance.now()
  child.kill('SIGTERM')
  await expect.poll(async () => (await get('/ready')).status, { interval: 20, timeout: 1_000 }).toBe(503)
  expect((await get('/health')).status).toBe(200)
  expect(await (await get('/fast')).text()).toBe('fast')
  expect(await slow).toBe('whole')
  expect(await ended()).toMatchObject({ code: 0 })
  expect(performance.now() - started).toBeLessThan(9_000)
  await expect(get('/fast')).rejects.toThrow()
})
