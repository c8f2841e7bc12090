import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChainOptions } from './index.js'

const MAX_PORT = 65_535
const DAY = 86_400_000

/** A whole number from the environment. @throws Error that names the variable */
function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  [min, max]: readonly [number, number],
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new Error(`chain: ${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

/** The folder that holds the repository, or `cwd`: `npm start -w sandbox/chain` runs in the workspace's own folder. */
function repositoryRoot(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return folder
  }
  return cwd
}

function dataDir(env: NodeJS.ProcessEnv, cwd: string): string {
  if (env.CHAIN_DATA_DIR) return env.CHAIN_DATA_DIR
  return join(env.KEYBAY_DATA_DIR || join(repositoryRoot(cwd), '.keybay'), 'chain')
}

/** The options that the environment asks for; the README has the list. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv, cwd: string): ChainOptions {
  const port = integer(env, 'CHAIN_PORT', 8899, [0, MAX_PORT])
  return {
    port,
    ...(env.CHAIN_WS_PORT && { wsPort: integer(env, 'CHAIN_WS_PORT', port + 1, [1, MAX_PORT]) }),
    host: env.CHAIN_HOST || '127.0.0.1',
    dataDir: dataDir(env, cwd),
    slotMs: integer(env, 'CHAIN_SLOT_MS', 400, [0, DAY]),
    snapshotMs: integer(env, 'CHAIN_SNAPSHOT_MS', 2_000, [10, DAY]),
    historyLimit: integer(env, 'CHAIN_HISTORY', 100_000, [100, 10_000_000]),
    finalitySlots: integer(env, 'CHAIN_FINALITY_SLOTS', 0, [0, 150]),
    maxAirdropSol: integer(env, 'CHAIN_FAUCET_MAX_SOL', 1_000, [1, 1_000_000]),
  }
}
