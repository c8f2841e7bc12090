import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SettingProblem } from './settings.js'

/** Thrown when a variable has an invalid value. */
export class SettingError extends Error {
  readonly variable: string

  constructor(service: string, variable: string, problem: string) {
    super(`${service}: ${variable}${problem}`)
    this.name = 'SettingError'
    this.variable = variable
  }
}

/**
 * Reads options from the environment, and treats an invalid variable as unset, so that one error can list all that
 * are invalid.
 * @returns the options, with the problems for `StartUpCheck`
 * @throws Error for a problem that no single variable causes
 * @example const { options, problems } = readAll(process.env, env => optionsFromEnv(env, 1))
 */
export function readAll<Options extends object>(env: NodeJS.ProcessEnv, read: (env: NodeJS.ProcessEnv) => Options) {
  const rest = { ...env }
  const problems: SettingProblem[] = []
  for (;;) {
    try {
      return { options: read(rest), problems }
    } catch (error) {
      if (!(error instanceof SettingError) || rest[error.variable] === undefined) throw error
      const { variable, message } = error
      problems.push({ variable, text: message.replace(/^\w+: /, '') })
      delete rest[variable]
    }
  }
}

/**
 * Reads an integer from the environment.
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
  if (/^\s*-?\d+\s*$/.test(text) && value >= min && value <= max) return value
  throw new SettingError(service, name, ` must be a whole number from ${min} to ${max}, not "${text}"`)
}

/**
 * Reads a switch: on, off, or undefined when the variable is not set.
 * @throws Error that names the service and the variable, for any value but `on` and `off`
 */
export function onOrOff(env: NodeJS.ProcessEnv, service: string, name: string): boolean | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (text === 'on' || text === 'off') return text === 'on'
  throw new SettingError(service, name, ` must be on or off, not "${text}"`)
}

/** Reads a switch that is on unless the environment says `off`. @throws Error as {@link onOrOff} */
export function isOn(env: NodeJS.ProcessEnv, service: string, name: string): boolean {
  return onOrOff(env, service, name) ?? true
}

/**
 * Reads an absolute URL from the environment, unchanged.
 * @param schemes with the colon: `['http:', 'https:']`
 * @throws Error that names the service and the variable, and not the value: a URL may contain a password
 * @example address(process.env, 'api', 'SMTP_URL', 'smtp://127.0.0.1:4625', ['smtp:', 'smtps:'])
 */
export function address<Fallback extends string | undefined>(
  env: NodeJS.ProcessEnv,
  service: string,
  name: string,
  fallback: Fallback,
  schemes: readonly string[] = ['http:', 'https:'],
): string | Fallback {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const { protocol = '', hostname = '', username = '', password = '' } = URL.canParse(text) ? new URL(text) : {}
  if (schemes.includes(protocol) && hostname !== '' && isDecodable(username + password)) return text
  throw new SettingError(service, name, ` must be an address that begins with ${schemes.join('// or ')}//`)
}

/**
 * Reads the URL of a PostgreSQL database, which may name several hosts.
 * @throws Error that names the service and the variable, and not the value
 * @example databaseAddress(env, 'api', 'DATABASE_URL') // postgres://api:secret@one:5432,two:5432/api
 */
export function databaseAddress(env: NodeJS.ProcessEnv, service: string, name: string): string | undefined {
  const text = env[name] || undefined
  const [, start, hosts, rest] = /^(\w+:\/\/(?:[^/?#@]*@)?)([^/?#]+)(.*)$/.exec(text ?? '') ?? []
  // A URL of the web has one host.
  const urls = hosts?.split(',').map(host => `${start}${host}${rest}`) ?? [text]
  for (const url of urls) address({ [name]: url }, service, name, undefined, ['postgres:', 'postgresql:'])
  // A part of a password would be read as a host, which messages name.
  if (hosts !== undefined && (/@/.test(hosts + rest) || !isDecodable(`${start}${hosts}`)))
    throw new SettingError(service, name, ': write % @ / ? # in its user and password as %25 %40 %2F %3F %23')
  if (hosts?.includes('['))
    throw new SettingError(service, name, ': its driver reads no IPv6 address. Use a name of the host.')
  return text
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the origins of pages that may use the sandbox's own environment, `local`: its host app on APP_PORT, and
 * those in APP_ORIGINS, which let your own host app use the sandbox.
 * @throws Error that names the service and the variable
 * @example pageOrigins(process.env, 'api') // ['http://app.localhost:4000', 'http://localhost:4000', …]
 */
export function pageOrigins(env: NodeJS.ProcessEnv, service: string): readonly string[] {
  const port = integer(env, service, 'APP_PORT', 4000, [1, 65_535])
  const more = origins(env, service, 'APP_ORIGINS') ?? []
  return [...new Set([...['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${port}`), ...more])]
}

/** Returns true for the origin of a web page as browsers write it. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** Reads comma-separated origins; undefined when not set. @throws Error that names the service and the variable */
export function origins(env: NodeJS.ProcessEnv, service: string, name: string): readonly string[] | undefined {
  const all = (env[name] ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of all)
    if (!isOrigin(origin))
      throw new SettingError(
        service,
        name,
        `: an origin is scheme, host and port (https://app.example), not "${origin}"`,
      )
  return all.length > 0 ? all : undefined
}

/** Returns the repository's folder, or `cwd`: `npm start -w sandbox/…` runs in the workspace's own folder. */
function repositoryRoot(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return folder
  }
  return cwd
}

/** Returns a service's data folder: its name in KEYBAY_DATA_DIR, by default in `.keybay` of the repository. */
export function dataFolder(env: NodeJS.ProcessEnv, service: string, cwd: string = process.cwd()): string {
  return join(env.KEYBAY_DATA_DIR || join(repositoryRoot(cwd), '.keybay'), service)
}
