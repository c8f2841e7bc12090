/**
 * Measures sign-in by code and renewal on one core of the product API, beside the bare framework. Counts requests by
 * the
 * CPU time of the measured process, which excludes the client and other work on the machine.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from './api-client.mjs'
import { percentile } from './stats.mjs'

/** Number of sessions renewed concurrently, each on its own connection. */
const SIDE_BY_SIDE = 8
const WARM_UP_MS = 1_000

/**
 * @typedef {object} Load
 * @property {number | undefined} p50Ms
 * @property {number | undefined} p99Ms
 * @property {number} perCore Per second of CPU time.
 *
 * @typedef {object} RoleFigures
 * @property {Load} renewal One request.
 * @property {Load} signIn By a code: two requests, and the message between them.
 *
 * @typedef {{ api: RoleFigures, bare: RoleFigures }} ApiFigures
 */

/** Receives the codes, as an SMS provider does. */
async function startPhone() {
  /** @type {Map<string, (code: string) => void>} */
  const waiting = new Map()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    response.end()
    const { to, text: words } = JSON.parse(text)
    waiting.get(to)?.(words.slice(0, 6))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/sms`,
    /** @param {string} to @returns {Promise<string>} */
    code: to =>
      new Promise(resolve => {
        waiting.set(to, resolve)
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} CPU time so far, in ms
 */
async function getCpu(child) {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  return (user + system) / 1000
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {readonly (() => Promise<void>)[]} users repeated action of each user
 * @param {number} ms
 * @returns {Promise<Load>}
 */
async function load(child, users, ms) {
  /** @type {number[]} */
  const times = []
  const until = async (/** @type {number} */ end) => {
    await Promise.all(
      users.map(async once => {
        while (performance.now() < end) {
          const started = performance.now()
          await once()
          times.push(performance.now() - started)
        }
      }),
    )
  }
  await until(performance.now() + WARM_UP_MS)
  times.length = 0
  const before = await getCpu(child)
  await until(performance.now() + ms)
  const used = (await getCpu(child)) - before
  return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99), perCore: (times.length / used) * 1000 }
}

/**
 * @param {'api' | 'bare'} role
 * @param {number} ms
 * @returns {Promise<RoleFigures>}
 */
async function measureRole(role, ms) {
  const dataDir = mkdtempSync(join(tmpdir(), 'keybay-bench-api-'))
  const phone = await startPhone()
  const child = fork(fileURLToPath(new URL('api-process.mjs', import.meta.url)), [role, dataDir, phone.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  /** @type {import('./api-client.mjs').Client[]} */
  const clients = []
  try {
    const [{ port }] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error(`The ${role} process ended before it was ready`))),
    ])
    const users = Array.from({ length: SIDE_BY_SIDE }, (_, index) => {
      const client = createClient(port)
      clients.push(client)
      const phoneNumber = `+4917012345${String(index).padStart(2, '0')}`
      const signIn = async () => {
        const code = role === 'api' ? phone.code(phoneNumber) : '000000'
        const { verificationId } = await client.call('/auth/phone', { phoneNumber })
        return client.call('/auth/phone/verify', { verificationId, code: await code })
      }
      return { client, signIn }
    })
    const signIn = await load(
      child,
      users.map(({ signIn }) => async () => {
        await signIn()
      }),
      ms,
    )
    const renewals = await Promise.all(
      users.map(async ({ client, signIn }) => {
        let { refreshToken } = await signIn()
        return async () => {
          refreshToken = (await client.call('/auth/refresh', { refreshToken })).refreshToken
        }
      }),
    )
    return { signIn, renewal: await load(child, renewals, ms) }
  } finally {
    for (const client of clients) client.close()
    child.kill('SIGTERM')
    await ended
    phone.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * @param {number} ms duration of each of the four loads
 * @returns {Promise<ApiFigures>}
 */
export async function measureApi(ms) {
  return { bare: await measureRole('bare', ms), api: await measureRole('api', ms) }
}
