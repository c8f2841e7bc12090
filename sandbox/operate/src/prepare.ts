/** `prepare`: writes what `sandbox/deploy` needs next to the keys. A file or variable that exists stays as it is. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { makeFolder } from '@keybay/sandbox-service'
import { replaceFile } from '@keybay/sandbox-service/secrets'
import { type Env, getEnvFile, isStateful, SERVICES, type ServiceName } from './services.js'

/** Variables that describe the deployment: those of `sandbox/deploy/example.env`. */
interface Names {
  readonly ENVIRONMENT_ID: string
  readonly APP_ORIGIN: string
  readonly API_NAME: string
  readonly CUSTODY_NAME: string
  readonly FRAME_NAME: string
  readonly R1_NAME: string
  readonly R2_NAME: string
  readonly RPC_URL: string
  readonly MAIL_FROM: string
}

/** Address of the mail server with its password, which the operator writes. */
const MAIL_FILE = 'smtp-url'
/** Services that send mail. */
const MAILERS: readonly ServiceName[] = ['api', 'custody']
/** Folders with the passwords of PostgreSQL and Grafana. */
const POSTGRES = 'postgres'
const GRAFANA = 'grafana'
/** The password of each service at PostgreSQL, in a file that is named after its role and database. */
const ROLES = join(POSTGRES, 'roles')

const MAINNET = {
  chainId: 101,
  networkId: 101,
  cluster: 'mainnet-beta',
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  name: 'Solana',
  vanityName: 'Mainnet',
  key: 'solana',
  blockExplorerUrls: [],
  iconUrls: [],
  isTestnet: false,
  nativeCurrency: { decimals: 9, name: 'Solana', symbol: 'SOL' },
}

/** @throws Error that names the variables that are missing */
function readNames(env: Env): Names {
  const { ENVIRONMENT_ID = '', APP_ORIGIN = '', API_NAME = '', CUSTODY_NAME = '', FRAME_NAME = '' } = env
  const { R1_NAME = '', R2_NAME = '', RPC_URL = '', MAIL_FROM = '' } = env
  const hosts = { API_NAME, CUSTODY_NAME, FRAME_NAME, R1_NAME, R2_NAME }
  const names = { ENVIRONMENT_ID, APP_ORIGIN, ...hosts, RPC_URL, MAIL_FROM }
  const missing = Object.entries(names).flatMap(([name, value]) => (value === '' ? [name] : []))
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')} in .env, as in example.env.`)
  return names
}

/** @throws Error that says where the file comes from */
function readParty(folder: string, relay: 'r1' | 'r2') {
  const file = join(folder, relay, 'party.json')
  if (!existsSync(file)) throw new Error(`${file} does not exist. Get it from the operator of ${relay}.`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Returns the file of environments of a service that has one. */
function describeEnvironments(folder: string, service: ServiceName, names: Names): object | undefined {
  const { ENVIRONMENT_ID, APP_ORIGIN, API_NAME, FRAME_NAME, R1_NAME, R2_NAME, RPC_URL } = names
  const frameOrigins = [`https://${FRAME_NAME}`]
  const apiUrl = `https://${API_NAME}/api/v0`
  const relay = {
    [ENVIRONMENT_ID]: {
      apiUrl,
      issuer: `${apiUrl}/sdk/${ENVIRONMENT_ID}`,
      hostOrigins: [APP_ORIGIN],
      frameOrigins,
      rpcUrl: RPC_URL,
    },
  }
  switch (service) {
    case 'api':
      return {
        [ENVIRONMENT_ID]: {
          kind: 'live',
          name: new URL(APP_ORIGIN).hostname,
          allowedOrigins: [APP_ORIGIN],
          frameOrigins,
          embeddedWallets: { enabled: true },
          custody: { enabled: true, secondFactor: true },
          networks: [{ ...MAINNET, rpcUrls: [RPC_URL] }],
        },
      }
    case 'frame': {
      const relays = [R1_NAME, R2_NAME].map((name, index) => {
        const { party, recordKeys, sealingKey } = readParty(folder, index === 0 ? 'r1' : 'r2')
        return { party, url: `https://${name}/api/v0`, recordKeys, sealingKey }
      })
      return [{ environmentId: ENVIRONMENT_ID, baseApiUrl: apiUrl, relays, parentOrigins: [APP_ORIGIN] }]
    }
    case 'custody':
      return undefined
    default:
      return relay
  }
}

function getVariables(folder: string, service: ServiceName, names: Names): Readonly<Record<string, string>> {
  const { APP_ORIGIN, API_NAME, CUSTODY_NAME, FRAME_NAME, R1_NAME, R2_NAME, MAIL_FROM } = names
  const file = (name: string) => join(folder, service, name)
  const mail = { SMTP_URL_FILE: file(MAIL_FILE), MAIL_FROM }
  const relay = {
    RELAY_DATABASE_URL_FILE: file('database-url'),
    RELAY_ENVIRONMENTS_FILE: file('environments.json'),
    RELAY_API_TOKEN_FILE: file('api-token'),
    RELAY_TRUSTED_PROXIES: '1',
  }
  switch (service) {
    case 'api':
      return {
        API_PUBLIC_URL: `https://${API_NAME}/api/v0`,
        DATABASE_URL_FILE: file('database-url'),
        API_ENVIRONMENTS_FILE: file('environments.json'),
        API_TRUSTED_PROXIES: '1',
        API_RELAY_URLS: `https://${R1_NAME}/api/v0,https://${R2_NAME}/api/v0`,
        API_RECORD_KEYS: JSON.stringify(readParty(folder, 'r1').recordKeys),
        CUSTODY_URL: `https://${CUSTODY_NAME}`,
        ...mail,
      }
    case 'custody':
      return {
        CUSTODY_PUBLIC_URL: `https://${CUSTODY_NAME}`,
        CUSTODY_DATABASE_URL_FILE: file('database-url'),
        CUSTODY_ORIGINS: `${APP_ORIGIN},https://${FRAME_NAME}`,
        CUSTODY_TRUSTED_PROXIES: '1',
        ...mail,
      }
    case 'frame':
      return {
        FRAME_PUBLIC_URL: `https://${FRAME_NAME}`,
        FRAME_ENVIRONMENTS_FILE: file('environments.json'),
        IDENTITY_URL: 'off',
      }
    default: {
      const [own, other, peer] =
        service === 'r1' ? [R1_NAME, R2_NAME, 'r2' as const] : [R2_NAME, R1_NAME, 'r1' as const]
      return {
        ...relay,
        [service === 'r1' ? 'RELAY_PUBLIC_URL' : 'RELAY2_PUBLIC_URL']: `https://${own}/api/v0`,
        RELAY_PEER_URL: `https://${other}/api/v0`,
        RELAY_PEER_KEYS: JSON.stringify(readParty(folder, peer)),
      }
    }
  }
}

/** Writes a file unless it exists. @returns its name if it was written */
function writeNew(file: string, text: string, mode: number): readonly string[] {
  if (existsSync(file)) return []
  writeFileSync(file, text, { mode, flag: 'wx' })
  return [file]
}

function makePassword(): string {
  return randomBytes(24).toString('base64url')
}

/** Containers read the passwords as other users, so only the folder above keeps users of this machine out. */
const READABLE = 0o444

function* writePasswords(folder: string, services: readonly ServiceName[], database: string): Generator<string> {
  for (const part of [ROLES, GRAFANA]) mkdirSync(join(folder, part), { recursive: true, mode: 0o755 })
  for (const file of [join(POSTGRES, 'password'), join(POSTGRES, 'replication-password'), join(GRAFANA, 'password')])
    yield* writeNew(join(folder, file), makePassword(), READABLE)
  for (const service of services.filter(isStateful)) {
    const role = join(folder, ROLES, service)
    yield* writeNew(role, makePassword(), READABLE)
    const url = `postgres://${service}:${readFileSync(role, 'utf8')}@${database}/${service}`
    yield* writeNew(join(folder, service, 'database-url'), url, 0o600)
  }
}

/** Adds variables that the service's file does not have. @returns the file if it changed */
function addVariables(file: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const known = parseEnv(text)
  const lines = Object.entries(variables).flatMap(([name, value]) => (name in known ? [] : [`${name}=${value}\n`]))
  // An operator's editor may leave the last line without its end.
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  if (lines.length > 0) replaceFile(file, start + lines.join(''))
  return lines.length > 0 ? [file] : []
}

/** @throws Error that says how to write the address of the mail server */
function* copyMailServer(folder: string, services: readonly ServiceName[]): Generator<string> {
  for (const service of MAILERS.filter(name => services.includes(name))) {
    const file = join(folder, service, MAIL_FILE)
    if (existsSync(file)) continue
    const source = join(folder, MAIL_FILE)
    if (!existsSync(source))
      throw new Error(`${source} does not exist. Write your mail server to it: smtps://user:password@host:465`)
    copyFileSync(source, file)
    yield file
  }
}

function* write(folder: string, services: readonly ServiceName[], env: Env): Generator<string> {
  const names = readNames(env)
  yield* copyMailServer(folder, services)
  for (const service of services) {
    const environments = describeEnvironments(folder, service, names)
    const variables = getVariables(folder, service, names)
    makeFolder(join(folder, service))
    if (environments)
      yield* writeNew(join(folder, service, 'environments.json'), `${JSON.stringify(environments, null, 2)}\n`, 0o600)
    yield* addVariables(getEnvFile(folder, service), variables)
  }
  yield* writePasswords(folder, services, env.DATABASE_HOST ?? 'postgres:5432')
}

/**
 * Completes the variables of the services that have keys in `folder`. It prints no secret.
 * @param env variables of the deployment
 * @returns the text for the operator
 * @throws Error that names what is missing
 */
export function prepare(folder: string | undefined, env: Env): string {
  if (folder === undefined) throw new Error('Name the folder with the keys: --env <folder>')
  const path = resolve(folder)
  const services = SERVICES.filter(service => existsSync(getEnvFile(path, service)))
  if (services.length === 0) throw new Error(`${path} has no file such as api.env. Create one with "keygen".`)
  const files = [...write(path, services, env)]
  return files.length === 0 ? 'Nothing to write.' : files.map(file => `Wrote ${file}`).join('\n')
}
