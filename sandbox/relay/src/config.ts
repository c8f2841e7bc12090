import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  address,
  databaseAddress,
  dataFolder,
  integer,
  jsonLog,
  onOrOff,
  pageOrigins,
  readMetricsPlace,
  SettingError,
} from '@keybay/sandbox-service'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import * as v from 'valibot'
import type { ApiParts } from './authority/api.js'
import type { Environment } from './environments.js'
import type { EnvironmentSettings, RelayOptions } from './index.js'
import { getSettings } from './settings.js'

const MAX_PORT = 65_535

/** @throws Error when RELAY_PARTY is neither 1 nor 2 */
export function getParty(env: NodeJS.ProcessEnv): 1 | 2 {
  return integer(env, 'relay', 'RELAY_PARTY', 1, [1, 2]) === 2 ? 2 : 1
}

/** Reads the options from environment variables; see the README. @throws Error that names an invalid variable */
export function optionsFromEnv(env: NodeJS.ProcessEnv, party: 1 | 2): RelayOptions {
  const service = party === 1 ? 'relay' : 'relay2'
  const number = (name: string, fallback: number, range: readonly [number, number]) =>
    integer(env, service, name, fallback, range)
  const ports = { 1: number('RELAY_PORT', 4300, [0, MAX_PORT]), 2: number('RELAY2_PORT', 4301, [0, MAX_PORT]) }
  const publicUrl = address(env, service, party === 1 ? 'RELAY_PUBLIC_URL' : 'RELAY2_PUBLIC_URL', undefined)
  const databaseUrl = getDatabase(env, service, party)
  const dataDir = dataFolder(env, service)
  const admin = onOrOff(env, service, 'RELAY_ADMIN')
  return {
    party,
    port: ports[party],
    host: env.RELAY_HOST || '127.0.0.1',
    metrics: readMetricsPlace(env, service),
    ...(publicUrl && { publicUrl }),
    environments: readEnvironmentFile(env) ?? { local: localEnvironment(env, service, number) },
    dataDir,
    ...(databaseUrl && { databaseUrl }),
    ...(env.RELAY_KEYS && { keys: env.RELAY_KEYS }),
    ...(env.RELAY_KEK && { kek: env.RELAY_KEK }),
    peerUrl: getPeerUrl(env, service, ports[party === 1 ? 2 : 1]),
    ...(env.RELAY_PEER_KEYS && { peerKeys: env.RELAY_PEER_KEYS }),
    apiToken: apiTokens(env, dataDir),
    trustedProxies: number('RELAY_TRUSTED_PROXIES', 0, [0, 10]),
    limitFactor: number('RELAY_LIMIT_FACTOR', 1, [1, 1_000_000]),
    ...(admin !== undefined && { admin }),
    log: jsonLog(),
  }
}

/** Reads the options of an operator's command. @throws Error that names an invalid variable */
export function readCommandOptions(): RelayOptions {
  const party = getParty(process.env)
  return optionsFromEnv(readCommandEnv('relay', getSettings(party)), party)
}

/** Returns undefined for `none`: a single relay. */
function getPeerUrl(env: NodeJS.ProcessEnv, service: string, port: number): string | undefined {
  if (env.RELAY_PEER_URL === 'none') return undefined
  return address(env, service, 'RELAY_PEER_URL', `http://127.0.0.1:${port}/api/v0`)
}

/**
 * Returns the party's own database. R2 uses RELAY_DATABASE_URL only when RELAY_PARTY assigns the environment to
 * R2; next to R1 in one environment (`npm start`), the variable belongs to R1.
 */
function getDatabase(env: NodeJS.ProcessEnv, service: string, party: 1 | 2): string | undefined {
  const url = (name: string) => databaseAddress(env, service, name)
  const shared = party === getParty(env) ? url('RELAY_DATABASE_URL') : undefined
  return party === 1 ? shared : (url('RELAY2_DATABASE_URL') ?? shared)
}

type ReadNumber = (name: string, fallback: number, range: readonly [number, number]) => number

/** Settings of the kit's environment `local`: app, frame, API and chain on this machine. */
function localEnvironment(env: NodeJS.ProcessEnv, service: string, number: ReadNumber): EnvironmentSettings {
  const port = (name: string, fallback: number) => number(name, fallback, [1, MAX_PORT])
  const [frame, api] = [port('FRAME_PORT', 4200), port('API_PORT', 4100)]
  const publicApi = address(env, service, 'API_PUBLIC_URL', `http://api.app.localhost:${api}/api/v0`).replace(/\/$/, '')
  return {
    apiUrl: `http://127.0.0.1:${api}/api/v0`,
    issuer: `${publicApi}/sdk/local`,
    hostOrigins: [...pageOrigins(env, service)],
    frameOrigins: ['wallet.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${frame}`),
    // Delegates of the app's own server, which signs transfers that users scheduled with it.
    delegatesFile: join(dataFolder(env, 'app'), 'delegates.json'),
    rpcUrl: address(env, service, 'CHAIN_INTERNAL_URL', `http://127.0.0.1:${port('CHAIN_PORT', 8899)}`),
  }
}

function readEnvironmentFile(env: NodeJS.ProcessEnv): RelayOptions['environments'] | undefined {
  const file = env.RELAY_ENVIRONMENTS_FILE
  if (!file) return undefined
  try {
    const settings = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(settings) || Object.keys(Object(settings)).length === 0)
      throw new Error('it has no environment; it is { "<id>": { … } }')
    // `startRelay` checks every field.
    return settings
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SettingError('relay', 'RELAY_ENVIRONMENTS_FILE', `: ${why}`)
  }
}

const operatorFile = v.object({ operatorToken: v.string() })
const madeToken = v.object({ token: v.string() })

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns the source of the token that redeems MFA tokens: the operator's token. On this machine, where both
 * services share a data folder, it is created once with the API's operator token.
 */
function apiTokens(env: NodeJS.ProcessEnv, dataDir: string): NonNullable<ApiParts['apiToken']> {
  const tokenPath = join(dataDir, 'api-token')
  const operator = join(dataFolder(env, 'api'), 'keys.json')
  const make = async ({ id, apiUrl }: Environment): Promise<string | undefined> => {
    const keys = v.safeParse(operatorFile, JSON.parse(textIn(operator) ?? 'null'))
    if (!keys.success) return undefined
    const response = await fetch(`${apiUrl}/sdk/${id}/api-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.output.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'relay', scopes: ['mfa'] }),
    }).catch(() => undefined)
    const made = v.safeParse(madeToken, await response?.json().catch(() => undefined))
    if (!made.success) return undefined
    writeFileSync(tokenPath, made.output.token, { mode: 0o600 })
    return made.output.token
  }
  return async (environment, stale) => {
    const configuredToken = environment.apiToken ?? env.RELAY_API_TOKEN
    if (configuredToken) return configuredToken
    const known = textIn(tokenPath)
    return known !== undefined && known !== stale ? known : make(environment)
  }
}
