import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MetricsPlace } from './metrics/metrics.js'
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

const MAX_PORT = 65_535
const WEB = ['http:', 'https:']

/**
 * The environment variables of a service. An empty variable counts as unset.
 *
 * Each method throws a {@link SettingError} for an invalid value. It never repeats a URL, which may contain a password.
 * @example new Variables(process.env, 'api').port('API_PORT', 4100)
 */
export class Variables {
  readonly env: NodeJS.ProcessEnv
  readonly #service: string

  constructor(env: NodeJS.ProcessEnv, service: string) {
    this.env = env
    this.#service = service
  }

  /** Returns the error for an invalid value. @param problem goes on after the name of the variable */
  error(name: string, problem: string): SettingError {
    return new SettingError(this.#service, name, problem)
  }

  integer(name: string, fallback: number, [min, max]: readonly [number, number]): number {
    const text = this.env[name]
    if (!text) return fallback
    const value = Number(text)
    if (/^\s*-?\d+\s*$/.test(text) && value >= min && value <= max) return value
    throw this.error(name, ` must be a whole number from ${min} to ${max}, not "${text}"`)
  }

  /** Reads a port that another program listens on. */
  port(name: string, fallback: number): number {
    return this.integer(name, fallback, [1, MAX_PORT])
  }

  /** Reads a port to listen on; 0 is any free one. */
  portOrAny(name: string, fallback: number): number {
    return this.integer(name, fallback, [0, MAX_PORT])
  }

  /** Reads a switch, `on` or `off`; undefined when not set. */
  isOn(name: string): boolean | undefined {
    const text = this.env[name]
    if (!text) return undefined
    if (text === 'on' || text === 'off') return text === 'on'
    throw this.error(name, ` must be on or off, not "${text}"`)
  }

  /**
   * Reads an absolute URL, unchanged.
   * @param schemes with the colon
   * @example variables.url('SMTP_URL', 'smtp://127.0.0.1:4625', ['smtp:', 'smtps:'])
   */
  url<Fallback extends string | undefined>(
    name: string,
    fallback: Fallback,
    schemes: readonly string[] = WEB,
  ): string | Fallback {
    const text = this.env[name]
    if (!text) return fallback
    this.#checkUrl(name, text, schemes)
    return text
  }

  /** Reads comma-separated URLs, without a slash at their end. */
  urls(name: string): readonly string[] {
    const urls = (this.env[name] ?? '').split(',').flatMap(part => part.trim() || [])
    for (const url of urls) this.#checkUrl(name, url, WEB)
    return urls.map(url => url.replace(/\/$/, ''))
  }

  #checkUrl(name: string, text: string, schemes: readonly string[]): void {
    const { protocol = '', hostname = '', username = '', password = '' } = URL.canParse(text) ? new URL(text) : {}
    if (schemes.includes(protocol) && hostname !== '' && isDecodable(username + password)) return
    throw this.error(name, ` must be an address that begins with ${schemes.join('// or ')}//`)
  }

  /**
   * Reads the URL of a PostgreSQL database, which may name several hosts.
   * @example variables.database('DATABASE_URL') // postgres://api:secret@one:5432,two:5432/api
   */
  database(name: string): string | undefined {
    const text = this.env[name]
    if (!text) return undefined
    const [, start, hosts, rest] = /^(\w+:\/\/(?:[^/?#@]*@)?)([^/?#]+)(.*)$/.exec(text) ?? []
    // A URL of the web has one host.
    for (const url of hosts?.split(',').map(host => `${start}${host}${rest}`) ?? [text])
      this.#checkUrl(name, url, ['postgres:', 'postgresql:'])
    // A part of a password would be read as a host, which messages name.
    if (hosts !== undefined && (/@/.test(hosts + rest) || !isDecodable(`${start}${hosts}`)))
      throw this.error(name, ': write % @ / ? # in its user and password as %25 %40 %2F %3F %23')
    if (hosts?.includes('[')) throw this.error(name, ': its driver reads no IPv6 address. Use a name of the host.')
    return text
  }

  /** Reads origins, separated by commas or spaces; undefined when not set. */
  origins(name: string): readonly string[] | undefined {
    const all = (this.env[name] ?? '').split(/[\s,]+/).filter(Boolean)
    const wrong = all.find(origin => !isOrigin(origin))
    if (wrong !== undefined)
      throw this.error(name, `: an origin is scheme, host and port (https://app.example), not "${wrong}"`)
    return all.length > 0 ? all : undefined
  }

  /**
   * Returns the origins of pages that may use the sandbox's own environment, `local`: its host app on APP_PORT, and
   * those in APP_ORIGINS, which let your own host app use the sandbox.
   */
  pageOrigins(): readonly string[] {
    const port = this.port('APP_PORT', 4000)
    const more = this.origins('APP_ORIGINS') ?? []
    return [...new Set([...['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${port}`), ...more])]
  }

  /**
   * Reads a file that a variable names; undefined when the variable is not set.
   * @param read reads the text, and throws an error that says what is wrong
   */
  file<T>(name: string, read: (text: string) => T): T | undefined {
    const path = this.env[name]
    if (!path) return undefined
    try {
      return read(readFileSync(path, 'utf8'))
    } catch (error) {
      throw this.error(name, `: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Reads a JSON file of environments by ID. The service checks the settings of each when it starts. */
  environments<Settings>(name: string): Readonly<Record<string, Settings>> | undefined {
    return this.file(name, text => {
      const environments = JSON.parse(text)
      if (Array.isArray(environments) || Object.keys(Object(environments)).length === 0)
        throw new Error('it has no environment; it is { "<id>": { … } }')
      return environments
    })
  }

  /** Reads the mail server; default: the inbox of the sandbox. */
  smtpUrl(): string {
    const port = this.port('INBOX_SMTP_PORT', this.port('INBOX_PORT', 4600) + 25)
    return this.url('SMTP_URL', `smtp://127.0.0.1:${port}`, ['smtp:', 'smtps:'])
  }

  /** Reads where `/metrics` listens; undefined when `<NAME>_METRICS_PORT` is not set. */
  metrics(): MetricsPlace | undefined {
    const name = `${this.#service.toUpperCase()}_METRICS_PORT`
    if (!this.env[name]) return undefined
    return { port: this.portOrAny(name, 0), host: this.env.METRICS_HOST || '127.0.0.1' }
  }

  /** Returns the data folder of this service. */
  dataFolder(): string {
    return dataFolder(this.env, this.#service)
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Returns true for the origin of a web page as browsers write it. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
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
