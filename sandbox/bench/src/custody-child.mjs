/** Starts custody in its own process, with its own data. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} CustodyChild
 * @property {string} url
 * @property {{ organizationId: string, publicKey: string, privateKey: string }} operator
 * @property {() => Promise<{ ms: number, requests: number }>} used Processor time and requests until now.
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} origin origin of the page that may use custody
 * @param {number} [patience] 0: custody first answers every request as pending
 * @returns {Promise<CustodyChild>}
 */
export async function startCustodyChild(origin, patience) {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-custody-'))
  const main = fileURLToPath(new URL('custody-process.mjs', import.meta.url))
  const child = fork(main, [folder, origin, ...(patience === undefined ? [] : [String(patience)])], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [{ url, operator }] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('Custody ended before it was ready'))),
    ])
    return {
      url,
      operator,
      async used() {
        child.send('used')
        const [{ user, system, requests }] = await once(child, 'message')
        return { ms: (user + system) / 1000, requests }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
