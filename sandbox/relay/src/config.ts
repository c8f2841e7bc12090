import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, jsonLog, Variables } from '@keybay/sandbox-service'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import * as v from 'valibot'
import type { ApiParts } from './authority/api.js'
import type { Environment } from './environments.js'
import type { EnvironmentSettings, RelayOptions } from './index.js'
import { getSettings } from './settings.js'

/** @throws Error when RELAY_PARTY is neither 1 nor 2 */
export function getParty(env: NodeJS.ProcessEnv): 1 | 2 {
  return new Variables(env, 'relay').integer('RELAY_PARTY', 1, [1, 2]) === 2 ? 2 : 1
}

/** Reads the options from environment variables; see the README. @throws Error that names an invalid variable */
export function optionsFromEnv(env: NodeJS.ProcessEnv, party: 1 | 2): RelayOptions {
  const variables = new Variables(env, party === 1 ? 'relay' : 'relay2')
  const [r1, r2] = [variables.portOrAny('RELAY_PORT', 4300), variables.portOrAny('RELAY2_PORT', 4301)]
  const [port, peerPort] = party === 1 ? [r1, r2] : [r2, r1]
  const publicUrl = variables.url(party === 1 ? 'RELAY_PUBLIC_URL' : 'RELAY2_PUBLIC_URL', undefined)
  const databaseUrl = getDatabase(variables, party)
  const dataDir = variables.dataFolder()
  const admin = variables.isOn('RELAY_ADMIN')
  return {
    party,
    port,
    host: env.RELAY_HOST || '127.0.0.1',
    metrics: variables.metrics(),
    ...(publicUrl && { publicUrl }),
    environments: variables.environments<EnvironmentSettings>('RELAY_ENVIRONMENTS_FILE') ?? {
      local: localEnvironment(variables),
    },
    dataDir,
    ...(databaseUrl && { databaseUrl }),
    ...(env.RELAY_KEYS && { keys: env.RELAY_KEYS }),
    ...(env.RELAY_KEK && { kek: env.RELAY_KEK }),
    peerUrl: getPeerUrl(variables, peerPort),
    ...(env.RELAY_PEER_KEYS && { peerKeys: env.RELAY_PEER_KEYS }),
    apiToken: apiTokens(env, dataDir),
    trustedProxies: variables.integer('RELAY_TRUSTED_PROXIES', 0, [0, 10]),
    limitFactor: variables.integer('RELAY_LIMIT_FACTOR', 1, [1, 1_000_000]),
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
function getPeerUrl(variables: Variables, port: number): string | undefined {
  if (variables.env.RELAY_PEER_URL === 'none') return undefined
  return variables.url('RELAY_PEER_URL', `http://127.0.0.1:${port}/api/v0`)
}

/**
 * Returns the party's own database. R2 uses RELAY_DATABASE_URL only when RELAY_PARTY assigns the environment to
 * R2; next to R1 in one environment (`npm start`), the variable belongs to R1.
 */
function getDatabase(variables: Variables, party: 1 | 2): string | undefined {
  const shared = party === getParty(variables.env) ? variables.database('RELAY_DATABASE_URL') : undefined
  return party === 1 ? shared : (variables.database('RELAY2_DATABASE_URL') ?? shared)
}

/** Settings of the kit's environment `local`: app, frame, API and chain on this machine. */
function localEnvironment(variables: Variables): EnvironmentSettings {
  const [frame, api] = [variables.port('FRAME_PORT', 4200), variables.port('API_PORT', 4100)]
  const publicApi = variables.url('API_PUBLIC_URL', `http://api.app.localhost:${api}/api/v0`).replace(/\/$/, '')
  return {
    apiUrl: `http://127.0.0.1:${api}/api/v0`,
    issuer: `${publicApi}/sdk/local`,
    hostOrigins: [...variables.pageOrigins()],
    frameOrigins: ['wallet.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${frame}`),
    // Delegates of the app's own server, which signs transfers that users scheduled with it.
    delegatesFile: join(dataFolder(variables.env, 'app'), 'delegates.json'),
    rpcUrl: variables.url('CHAIN_INTERNAL_URL', `http://127.0.0.1:${variables.port('CHAIN_PORT', 8899)}`),
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
