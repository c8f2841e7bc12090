/** One service as a child process: ready, its last output, and its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { portOf } from './ports.mjs'

const guard = new URL('orphan-guard.mjs', import.meta.url).href
const keptLines = 20
const pollEvery = 100

/**
 * @typedef {import('./services.mjs').Service} Service
 *
 * @typedef {object} Running
 * @property {Service} service
 * @property {string} url Where a browser reaches it.
 * @property {Promise<number>} ready Milliseconds that it took. Rejects if the process ends first.
 * @property {Promise<string>} ended How it ended: `exit code 1`, `signal SIGKILL`.
 * @property {() => readonly string[]} lastLines
 * @property {(signal: 'SIGTERM' | 'SIGKILL') => void} kill The process and all that it started.
 */

/**
 * @param {Service} service
 * @param {NodeJS.ProcessEnv} env
 */
export function addressOf(service, env) {
  return `http://${service.host}:${portOf(service, env)}${service.path ?? ''}`
}

/**
 * Polls until something answers there that is not an error of the server.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function answers(url, signal) {
  while (!signal.aborted) {
    const response = await fetch(url, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    if (response && response.status < 500) return
    await new Promise(resolve => setTimeout(resolve, pollEvery))
  }
}

/**
 * @param {Service} service
 * @param {{ root: string, dataDir: string, env: NodeJS.ProcessEnv, onLine: (line: string) => void }} options
 * @returns {Running}
 */
export function startService(service, { root, dataDir, env, onLine }) {
  const started = performance.now()
  const port = portOf(service, env)
  // Its own process group: a Ctrl-C in the terminal reaches the supervisor alone, which then stops all in order.
  const child = spawn(process.execPath, ['--import', guard, join(root, service.folder, service.entry)], {
    cwd: join(root, service.folder),
    env: { ...env, KEYBAY_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  })

  /** @type {string[]} */
  const lines = []
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', chunk => {
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        lines.push(line)
        if (lines.length > keptLines) lines.shift()
        onLine(line)
      }
    })
    stream?.on('end', () => rest && lines.push(rest))
  }

  /** @type {Promise<string>} */
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(`could not start: ${error.message}`))
    child.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  const polling = new AbortController()
  /** @type {Promise<void>} */
  const said = new Promise(resolve => {
    child.on('message', message => {
      if (typeof message === 'object' && message && 'type' in message && message.type === 'ready') resolve()
    })
    if (service.poll) answers(`http://127.0.0.1:${port}${service.poll}`, polling.signal).then(resolve, () => undefined)
  })
  const ready = Promise.race([
    said.then(() => Math.round(performance.now() - started)),
    ended.then(how => Promise.reject(new Error(`${service.name} ended before it was ready: ${how}`))),
  ]).finally(() => polling.abort())

  return {
    service,
    url: addressOf(service, env),
    ready,
    ended,
    lastLines: () => lines,
    kill: signal => {
      try {
        if (child.pid === undefined) return
        if (process.platform === 'win32') child.kill(signal)
        else process.kill(-child.pid, signal)
      } catch (error) {
        // ESRCH: it has already gone.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    },
  }
}
