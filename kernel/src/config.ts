/** The host's configuration, checked once: one error names every mistake. */
import type { LogLevel } from './logger.js'
import { type Clock, systemClock } from './spec/clock.js'
import { appNameNotSet, configInvalid, KeybayError } from './spec/errors.js'

export interface Config {
  /** Shown to the user by wallets and prompts. Required: "appName not set" (S5.1). */
  readonly appName: string
  /** The environment of the product API, and the namespace of everything stored. Default `local`. */
  readonly environmentId?: string
  /** The product API with its version, e.g. `http://api.app.localhost:4100/api/v0`. Without it nothing is sent. */
  readonly baseApiUrl?: string
  /** `connect-and-sign`: connecting a wallet also proves its ownership. Default `connect-only`. */
  readonly authMode?: 'connect-and-sign' | 'connect-only'
  /** The API keeps the session in an HttpOnly cookie; requests carry credentials. Default false. */
  readonly cookieStorage?: boolean
  /** Default `debug` outside production, else `warn` (S9.5). The troubleshoot flag in local storage lowers it to `debug`. */
  readonly logLevel?: LogLevel
  /** How long a user may take to respond to a connector, in whole ms below 10⁹. Default 120000. */
  readonly connectTimeout?: number
  /** For tests. Default: the system's clock. */
  readonly clock?: Clock
}
export interface ResolvedConfig extends Config {
  readonly environmentId: string
  readonly authMode: 'connect-and-sign' | 'connect-only'
  readonly connectTimeout: number
  readonly clock: Clock
}

/** The pattern of each setting. A timer counts ms in 31 bits, so `Infinity` would fire at once. */
const RULES = {
  environmentId: /^[\w-]{1,64}$/,
  baseApiUrl: /^https?:\/\/[\w.:[\]-]+(\/\S*)?$/,
  authMode: /^connect-(only|and-sign)$/,
  logLevel: /^(debug|info|warn|error|silent)$/,
  connectTimeout: /^[1-9]\d{0,8}$/,
}

/** @throws KeybayError `config_app_name` or `config_invalid`, its message naming every mistake. */
export function resolveConfig(config: Config): ResolvedConfig {
  const { environmentId = 'local', authMode = 'connect-only', connectTimeout = 120_000, clock = systemClock } = config
  const resolved = { ...config, environmentId, authMode, connectTimeout, clock }
  // For hosts without TypeScript, and for values from the environment.
  const wrong = Object.entries(RULES).flatMap(([name, rule]) => {
    const value: unknown = Reflect.get(resolved, name)
    return value === undefined || rule.test(String(value)) ? [] : `${name}: ${rule}`
  })
  const isNamed = typeof config.appName === 'string' && config.appName.trim()
  if (!isNamed) wrong.unshift(appNameNotSet.message)
  if (wrong[0]) throw new KeybayError({ ...(isNamed ? configInvalid : appNameNotSet), message: wrong.join('; ') })
  return resolved
}
