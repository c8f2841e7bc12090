/** Measures the start time of the sandbox, and the capacity of its chain. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@keybay/sandbox-tools/command'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { root } from '@keybay/sandbox-tools/repo'
import { services } from '@keybay/sandbox-tools/services'

const starter = join(root, 'sandbox/tools/src/start.mjs')
const chainBench = join(root, 'sandbox/chain/dist/bench.js')
const TIMEOUT_MS = 120_000

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} time from the command until its table says that all services are ready, in ms
 */
async function startOnce(env) {
  const started = performance.now()
  const child = spawn(process.execPath, [starter], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise(resolve => child.once('close', resolve))
  const late = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS)
  let output = ''
  try {
    return await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          output += chunk
          if (/^Ready in /m.test(output)) resolve(performance.now() - started)
        })
      closed.then(() => reject(new Error(`npm start ended before it was ready:\n${output}`)))
    })
  } finally {
    clearTimeout(late)
    child.kill('SIGTERM')
    await closed
  }
}

/**
 * Measures `npm start`, on its own ports and data, after a first start that built everything and created the data.
 * @param {number} runs
 * @returns {Promise<readonly number[]>} in ms
 */
export async function measureStart(runs) {
  const dataDir = mkdtempSync(join(tmpdir(), 'keybay-bench-data-'))
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, KEYBAY_DATA_DIR: dataDir }
  for (const { variable, morePorts = [] } of services)
    env[variable] = String(await freePort(1 + Math.max(0, ...morePorts.map(({ offset }) => offset))))
  try {
    await startOnce(env)
    const times = []
    while (times.length < runs) times.push(await startOnce(env))
    return times
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * @typedef {object} ChainFigures
 * @property {number} processReadyMs From the start of its process.
 * @property {number} transfersPerSecond With preflight.
 * @property {number} sendAndConfirmMs As the client web3.js sees it.
 * @property {number} snapshotMs At 10,000 transactions.
 */

/**
 * Runs the chain's own measurement in a separate process, which prints one line of JSON.
 * @returns {Promise<ChainFigures>}
 */
export async function measureChain() {
  const { code, output } = await run(process.execPath, [chainBench], { show: false })
  const line = output.split('\n').find(text => text.startsWith('{'))
  if (code !== 0 || !line) throw new Error(`The chain's bench failed:\n${output}`)
  return JSON.parse(line)
}
