/** What the host says once, checked once: every mistake is named in one error. */

import type { LogLevel } from './logger.js'
import { type Clock, systemClock } from './spec/clock.js'
import { appNameNotSet, configInvalid, KeybayError } from './spec/errors.js'

export interface Config {
  /** Shown to the user by wallets and prompts. Required: "appName not set" (S5.1). */
  readonly appName: string
  /** Which environment of the product API; also the namespace of everything stored. Default `local`. */
  readonly environmentId?: string
  /** The product API with its version, e.g. `http://api.app.localhost:4100/api/v0`. Without it nothing is sent anywhere. */
  readonly baseApiUrl?: string
  /** Whether connecting a wallet also proves its ownership. Default `connect-only`. */
  readonly authMode?: 'connect-and-sign' | 'connect-only'
  /** The API keeps the session in an HttpOnly cookie; requests carry credentials. Default false. */
  readonly cookieStorage?: boolean
  /** Default `debug` outside production, else `warn` (S9.5). The troubleshoot flag in local storage lowers it to `debug`. */
  readonly logLevel?: LogLevel
  /** How long a user may take to answer a connector, whole ms below 10⁹. Default 120000. */
  readonly connectTimeout?: number
  /** For tests. Default: the system's. */
  readonly clock?: Clock
}
export interface ResolvedConfig extends Config {
  readonly environmentId: string
  readonly authMode: 'connect-and-sign' | 'connect-only'
  readonly connectTimeout: number
  readonly clock: Clock
}

/** What each setting must look like, if it is said. A timer counts its ms in 31 bits; `Infinity` would fire at once. */
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
  // The types say what is right; a host without TypeScript, or with values from its environment, gets a sentence.
  const wrong = Object.entries(RULES).flatMap(([name, rule]) => {
    const value: unknown = Reflect.get(resolved, name)
    return value === undefined || rule.test(String(value)) ? [] : `${name}: ${rule}`
  })
  const named = typeof config.appName === 'string' && config.appName.trim()
  if (!named) wrong.unshift(appNameNotSet.message)
  if (wrong[0]) throw new KeybayError({ ...(named ? configInvalid : appNameNotSet), message: wrong.join('; ') })
  return resolved
}
