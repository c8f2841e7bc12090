/** Runs what is measured in its own process, under load, with its CPU time, which excludes the client and the machine. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { percentile } from './stats.mjs'

/** Number of concurrent users, each on its own connection. */
export const SIDE_BY_SIDE = 8
const WARM_UP_MS = 1_000

/**
 * @typedef {{ organizationId: string, publicKey: string, privateKey: string }} Operator
 * @typedef {{ port: number, url: string, operator: Operator }} Ready The API reports its port; custody the rest.
 *
 * @typedef {object} Measured
 * @property {Ready} ready
 * @property {() => Promise<{ ms: number, requests: number }>} used CPU time and requests until now.
 *
 * @typedef {object} Load
 * @property {number | undefined} p50Ms
 * @property {number | undefined} p99Ms
 * @property {number} ms CPU time of one.
 * @property {number} perCore Per second of CPU time.
 */

/**
 * Runs work, then everything that the work registered to undo, in reverse order.
 * @template T
 * @param {(onEnd: (end: () => unknown) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function undoing(work) {
  /** @type {(() => unknown)[]} */
  const ends = []
  try {
    return await work(end => void ends.push(end))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** @param {(end: () => unknown) => void} onEnd @returns {string} a folder that exists until then */
export function temporaryFolder(onEnd) {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Starts a role of measured-process.mjs, with its own data.
 * @param {(end: () => unknown) => void} onEnd
 * @param {'api' | 'bare' | 'custody'} role
 * @param {readonly string[]} args of the role
 * @returns {Promise<Measured>}
 */
export async function startMeasured(onEnd, role, ...args) {
  const main = fileURLToPath(new URL('measured-process.mjs', import.meta.url))
  const child = fork(main, [role, temporaryFolder(onEnd), ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  onEnd(() => {
    child.kill('SIGTERM')
    return ended
  })
  const early = ended.then(() => Promise.reject(new Error(`The ${role} process ended before it was ready`)))
  const [ready] = await Promise.race([once(child, 'message'), early])
  return {
    ready,
    async used() {
      child.send('used')
      const [{ user, system, requests }] = await once(child, 'message')
      return { ms: (user + system) / 1000, requests }
    },
  }
}

/**
 * @param {Measured} measured
 * @param {readonly (() => Promise<unknown>)[]} users repeated action of each user
 * @param {number} ms
 * @returns {Promise<Load>}
 */
export async function load(measured, users, ms) {
  /** @type {number[]} */
  const times = []
  const until = (/** @type {number} */ end) =>
    Promise.all(
      users.map(async act => {
        while (performance.now() < end) {
          const started = performance.now()
          await act()
          times.push(performance.now() - started)
        }
      }),
    )
  await until(performance.now() + WARM_UP_MS)
  times.length = 0
  const before = await measured.used()
  await until(performance.now() + ms)
  const used = (await measured.used()).ms - before.ms
  return {
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    ms: used / times.length,
    perCore: (times.length / used) * 1000,
  }
}

/** Listens on a free port. @param {import('node:net').Server} server @returns {Promise<number>} */
export async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/**
 * Receives the codes sent to phones, as an SMS provider does.
 * @param {(end: () => unknown) => void} onEnd
 * @returns {Promise<{ url: string, code: (to: string) => Promise<string> }>} `code` returns each code once
 */
export async function startPhone(onEnd) {
  /** @type {Map<string, string>} */
  const received = new Map()
  /** @type {Map<string, (code: string) => void>} */
  const waiting = new Map()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.end('{}')
    const { to, text } = JSON.parse(body)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    const resolve = waiting.get(to)
    if (!resolve) return received.set(to, code)
    waiting.delete(to)
    resolve(code)
  })
  const port = await listen(server)
  onEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${port}/sms`,
    code(to) {
      const code = received.get(to)
      received.delete(to)
      return code === undefined ? new Promise(resolve => waiting.set(to, resolve)) : Promise.resolve(code)
    },
  }
}
