import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A whole number from the environment.
 *
 * @throws Error that names the service and the variable
 * @example integer(process.env, 'api', 'API_PORT', 4100, [0, 65_535])
 */
export function integer(
  env: NodeJS.ProcessEnv,
  service: string,
  name: string,
  fallback: number,
  [min, max]: readonly [number, number],
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new Error(`${service}: ${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

/** The folder that holds the repository, or `cwd`: `npm start -w sandbox/…` runs in the workspace's own folder. */
function repositoryRoot(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return folder
  }
  return cwd
}

/** Where a service keeps its data: the folder of its name in KEYBAY_DATA_DIR, by default in `.keybay` of the repository. */
export const dataFolder = (env: NodeJS.ProcessEnv, service: string, cwd: string = process.cwd()): string =>
  join(env.KEYBAY_DATA_DIR || join(repositoryRoot(cwd), '.keybay'), service)
