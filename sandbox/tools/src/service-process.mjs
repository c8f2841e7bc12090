/** Runs one service as a child process, and reports its readiness, its last output and its exit. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { getPort } from './ports.mjs'

const guard = new URL('orphan-guard.mjs', import.meta.url).href
const MAX_LINES = 20
const POLL_MS = 100

/**
 * @typedef {import('./services.mjs').Service} Service
 *
 * @typedef {object} Running
 * @property {Service} service
 * @property {string} url Address for a browser.
 * @property {Promise<number>} ready Milliseconds that it took. Rejects if the process ends first.
 * @property {Promise<string>} ended How it ended: `exit code 1`, `signal SIGKILL`.
 * @property {() => readonly string[]} lastLines
 * @property {(signal: 'SIGTERM' | 'SIGKILL') => void} kill The process and all that it started.
 */

/** @param {Service} service @param {NodeJS.ProcessEnv} env */
export function addressOf(service, env) {
  return `http://${service.host}:${getPort(service, env)}${service.path ?? ''}`
}

/** Polls until the response is not a server error. @param {string} url @param {AbortSignal} signal */
async function waitForAnswer(url, signal) {
  while (!signal.aborted) {
    const response = await fetch(url, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    if (response && response.status < 500) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/**
 * @param {Service} service
 * @param {{ root: string, dataDir: string, env: NodeJS.ProcessEnv, onLine: (line: string) => void }} options
 * @returns {Running}
 */
export function startService(service, { root, dataDir, env, onLine }) {
  const started = performance.now()
  const port = getPort(service, env)
  // Starts its own process group, so that Ctrl-C reaches only the supervisor, which stops all services in order.
  const child = spawn(process.execPath, ['--import', guard, join(root, service.folder, service.entry), '--sandbox'], {
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
        if (lines.length > MAX_LINES) lines.shift()
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
  const reported = new Promise(resolve => {
    child.on('message', message => {
      if (typeof message === 'object' && message && 'type' in message && message.type === 'ready') resolve()
    })
    if (service.poll)
      waitForAnswer(`http://127.0.0.1:${port}${service.poll}`, polling.signal).then(resolve, () => undefined)
  })
  const ready = Promise.race([
    reported.then(() => Math.round(performance.now() - started)),
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
        // ESRCH: the process has already exited.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    },
  }
}
