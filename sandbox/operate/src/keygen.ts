/** `keygen`: makes the keys of services, in the files that they read. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newKey, writeApproverKeys } from '@keybay/sandbox-api/operated'
import { describeParty } from '@keybay/sandbox-relay/operated'
import { makeFolder } from '@keybay/sandbox-service'
import { getEnvFile, isStateful, OPERATED, type ServiceName } from './services.js'

/** Files that a service makes for its keys, by the variable that names each. */
const KEY_FILES: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
  api: { API_KEYS_FILE: 'keys.json' },
  r1: { RELAY_KEYS_FILE: 'keys.json', RELAY_KEK_FILE: 'kek' },
  r2: { RELAY_KEYS_FILE: 'keys.json', RELAY_KEK_FILE: 'kek' },
  custody: { CUSTODY_KEK_FILE: 'kek', CUSTODY_ENCLAVE_KEY_FILE: 'enclave.pem' },
  frame: {},
}
/** The API's own keys at custody. */
const APPROVER_FILE = 'approver.json'
const OPERATOR_FILE = 'custody-api-key'
/** Public keys of a relay, for the operator of the other one. */
const PARTY_FILE = 'party.json'

interface Keys {
  readonly folder: string
  readonly services: readonly ServiceName[]
}

function* listFiles({ folder, services }: Keys): Generator<string> {
  for (const service of services) {
    for (const name of Object.values(KEY_FILES[service])) yield join(folder, service, name)
    yield getEnvFile(folder, service)
    if (service === 'r1' || service === 'r2') yield join(folder, service, PARTY_FILE)
    if (service === 'api') for (const name of [APPROVER_FILE, OPERATOR_FILE]) yield join(folder, service, name)
  }
}

function writeSecret(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
}

/** Returns variables that several services share: the operator's key at custody, of which only the API has the secret. */
function makeOperator({ folder, services }: Keys): Readonly<Record<string, string>> {
  if (!services.includes('api')) return {}
  const { publicKey, privateKey } = newKey()
  writeSecret(join(folder, 'api', OPERATOR_FILE), privateKey)
  writeSecret(join(folder, 'api', APPROVER_FILE), writeApproverKeys([newKey()]))
  return { CUSTODY_ORGANIZATION_ID: randomUUID(), CUSTODY_API_PUBLIC_KEY: publicKey }
}

/** Reads a relay's public keys, which may be of an earlier run or of another operator. */
function readParty(folder: string, service: 'r1' | 'r2'): string | undefined {
  const file = join(folder, service, PARTY_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function getVariables(folder: string, service: ServiceName, operator: Readonly<Record<string, string>>) {
  const files = Object.entries(KEY_FILES[service]).map(([name, file]) => [name, join(folder, service, file)])
  const [r1, r2] = [readParty(folder, 'r1'), readParty(folder, 'r2')]
  const peer = service === 'r1' ? r2 : r1
  const more: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
    api: {
      CUSTODY_APPROVER_KEYS_FILE: join(folder, service, APPROVER_FILE),
      CUSTODY_API_PRIVATE_KEY_FILE: join(folder, service, OPERATOR_FILE),
      ...operator,
      ...(r1 !== undefined && { API_RECORD_KEYS: JSON.stringify(JSON.parse(r1).recordKeys) }),
    },
    r1: { ...(peer !== undefined && { RELAY_PEER_KEYS: peer }) },
    r2: { RELAY_PARTY: '2', ...(peer !== undefined && { RELAY_PEER_KEYS: peer }) },
    custody: operator,
    frame: {},
  }
  return { ...Object.fromEntries(files), ...more[service] }
}

/**
 * Makes the keys, and a file of variables for each service that names them. It prints no key.
 * @returns the text for the operator
 * @throws Error, before anything is written, when a file exists already: a lost key loses the data under it
 */
export async function makeKeys(keys: Keys): Promise<string> {
  const all = { ...keys, folder: resolve(keys.folder) }
  const { folder, services } = all
  const existing = [...listFiles(all)].find(file => existsSync(file))
  if (existing !== undefined) throw new Error(`${existing} exists already. Name another folder, or other services.`)
  makeFolder(folder)
  for (const service of services.filter(isStateful)) {
    makeFolder(join(folder, service))
    for (const { source } of await OPERATED[service].makeKeys(join(folder, service))) source.save()
  }
  for (const [service, party] of [
    ['r1', 1],
    ['r2', 2],
  ] as const) {
    if (!services.includes(service)) continue
    const answer = describeParty(readFileSync(join(folder, service, 'keys.json'), 'utf8'), party)
    writeFileSync(join(folder, service, PARTY_FILE), JSON.stringify(answer), { flag: 'wx' })
  }
  const operator = makeOperator(all)
  for (const service of services) {
    const variables = Object.entries(getVariables(folder, service, operator))
    writeSecret(getEnvFile(folder, service), variables.map(([name, value]) => `${name}=${value}\n`).join(''))
  }
  return [...listFiles(all)].map(file => `Wrote ${file}`).join('\n')
}
