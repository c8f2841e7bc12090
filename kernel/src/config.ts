/** What the host says once, checked once: every mistake is named in one error. */
import { type Clock, systemClock } from './clock.js'
import { appNameNotSet, configInvalid, KeybayError } from './errors.js'
import { LEVELS, type LogLevel } from './logger.js'

export interface Config {
  /** Shown to the person by wallets and prompts. Required: "appName not set" (S5.1). */
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
  /** How long a person may take to answer a connector, ms. Default 120000. */
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

const isHttpUrl = (value: string): boolean => /^https?:/.test(value) && URL.canParse(value)

/** @throws KeybayError `config_app_name` or `config_invalid`, its message naming every mistake. */
export const resolveConfig = (config: Config): ResolvedConfig => {
  const { environmentId = 'local', baseApiUrl, authMode = 'connect-only', logLevel, connectTimeout = 120_000 } = config
  // The types say what is right; a host without TypeScript, or with values from its environment, gets a sentence.
  const named = typeof config.appName === 'string' && config.appName.trim()
  const wrong = [
    !named && appNameNotSet.message,
    !/^[\w-]{1,64}$/.test(environmentId) && 'environmentId: 1-64 of a-z 0-9 _ -',
    baseApiUrl !== undefined && !isHttpUrl(baseApiUrl) && 'baseApiUrl: no http(s) URL',
    !/^connect-(only|and-sign)$/.test(authMode) && 'authMode: connect-only, connect-and-sign',
    logLevel !== undefined && !(logLevel in LEVELS) && `logLevel: ${Object.keys(LEVELS)}`,
    !(connectTimeout > 0) && 'connectTimeout: above 0',
  ].filter(mistake => mistake)
  if (wrong.length) throw new KeybayError({ ...(named ? configInvalid : appNameNotSet), message: wrong.join('; ') })
  return { clock: systemClock, ...config, environmentId, authMode, connectTimeout }
}
