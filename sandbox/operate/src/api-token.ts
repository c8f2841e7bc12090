/** `api-token`: makes a token at the API, by which a relay redeems second factors. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@keybay/sandbox-service'
import { readEnvironments, type ServiceName } from './services.js'

const TIMEOUT_MS = 10_000

interface Asked {
  readonly address: string
  readonly operatorToken: string
  readonly name: string
}

/** @throws Error with the API's answer */
async function request({ address, operatorToken, name }: Asked): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, scopes: ['mfa'] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer = await response.json()
  if (response.status !== 201)
    throw new Error(`${address} answers ${response.status} ${answer.code}. Run “operate doctor api”.`)
  return answer.token
}

/**
 * Makes the token of a relay, which ends after a year, in the API's only environment. It prints no token.
 * @param folder with the API's variables
 * @returns the text for the operator
 * @throws Error that says what to do
 */
export async function makeApiToken(folder: string | undefined, services: readonly ServiceName[]): Promise<string> {
  const [relay, ...others] = services
  if ((relay !== 'r1' && relay !== 'r2') || others.length > 0) throw new Error('Name one relay: r1 or r2.')
  if (folder === undefined) throw new Error('Name the folder with the keys: --env <folder>')
  const file = join(folder, relay, 'api-token')
  if (existsSync(file)) throw new Error(`${file} exists already. Delete it to replace the token.`)
  const { API_PUBLIC_URL, API_KEYS_FILE, API_ENVIRONMENTS_FILE } =
    readEnvironments({ folder, services: ['api'] }).get('api') ?? {}
  if (!API_PUBLIC_URL || !API_KEYS_FILE || !API_ENVIRONMENTS_FILE)
    throw new Error(`${folder}/api.env lacks variables. Run “operate prepare” first.`)
  const environments = Object.keys(JSON.parse(readFileSync(API_ENVIRONMENTS_FILE, 'utf8')))
  if (environments.length !== 1)
    throw new Error('The API has several environments: make a token in each, for apiToken of the relay’s environments.')
  const { operatorToken } = JSON.parse(readFileSync(API_KEYS_FILE, 'utf8'))
  const token = await request({
    address: `${API_PUBLIC_URL}/sdk/${environments[0]}/api-tokens`,
    operatorToken,
    name: relay,
  })
  makeFolder(join(folder, relay))
  writeFileSync(file, token, { mode: 0o600, flag: 'wx' })
  return `Wrote ${file}`
}
