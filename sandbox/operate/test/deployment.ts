/** A whole deployment as an operator runs it: every service in production, with its keys from `keygen`. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localNetwork } from '@keybay/sandbox-api'
import { startChain } from '@keybay/sandbox-chain'
import { startInbox } from '@keybay/sandbox-inbox'
import { startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { endProgram, type Program, runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import type { Result } from '../src/doctor/check.js'
import { makeKeys } from '../src/keygen.js'
import { migrate } from '../src/migrate.js'
import { type Env, getEnvFile, readEnvironments, SERVICES, type ServiceName } from '../src/services.js'
import { createAuthority, startProxy, type TlsProxy } from './tls-proxy.js'

const PROGRAMS: Readonly<Record<ServiceName, string>> = {
  api: '../../api/dist/main.js',
  r1: '../../relay/dist/main.js',
  r2: '../../relay/dist/main.js',
  custody: '../../custody/dist/main.js',
  frame: '../../frame/dist/server/main.js',
}
const METRICS_PORTS: Readonly<Record<ServiceName, string>> = {
  api: 'API_METRICS_PORT',
  r1: 'RELAY_METRICS_PORT',
  r2: 'RELAY2_METRICS_PORT',
  custody: 'CUSTODY_METRICS_PORT',
  frame: 'FRAME_METRICS_PORT',
}
const PAGE = 'https://app.acme.example'

type Ports = Readonly<Record<ServiceName, number>>
type Proxies = Readonly<Record<ServiceName, TlsProxy>>

interface Around {
  readonly folder: string
  readonly ports: Ports
  readonly metricsPorts: Ports
  readonly proxies: Proxies
  readonly databases: Readonly<Record<'api' | 'r1' | 'r2' | 'custody', string>>
  readonly smtpUrl: string
  readonly smsUrl: string
  readonly rpcUrl: string
}

function forEach<T>(make: (service: ServiceName) => Promise<T>): Promise<Record<ServiceName, T>> {
  const all = SERVICES.map(async service => [service, await make(service)] as const)
  return Promise.all(all).then(entries => Object.fromEntries(entries) as Record<ServiceName, T>)
}

function describeRelays({ folder, proxies }: Around) {
  return (['r1', 'r2'] as const).map(relay => {
    const { party, recordKeys, sealingKey } = JSON.parse(readFileSync(join(folder, relay, 'party.json'), 'utf8'))
    return { party, recordKeys, sealingKey, url: `${proxies[relay].origin}/api/v0` }
  })
}

/** Returns the files of environments. */
export function getConfigurations(around: Around) {
  const { proxies, ports, rpcUrl } = around
  const api = `${proxies.api.origin}/api/v0`
  const origins = { frameOrigins: [proxies.frame.origin] }
  return {
    api: {
      acme: {
        ...origins,
        allowedOrigins: [PAGE],
        sms: { countries: ['DE'] },
        embeddedWallets: { enabled: true },
        custody: { enabled: true, secondFactor: true },
        networks: [localNetwork(rpcUrl)],
      },
    },
    relay: {
      acme: {
        ...origins,
        apiUrl: `http://127.0.0.1:${ports.api}/api/v0`,
        issuer: `${api}/sdk/acme`,
        hostOrigins: [PAGE],
        rpcUrl,
      },
    },
    frame: [{ environmentId: 'acme', baseApiUrl: api, relays: describeRelays(around), parentOrigins: [PAGE] }],
  }
}

function getVariables(around: Around): Readonly<Record<ServiceName, Readonly<Record<string, string | number>>>> {
  const { folder, ports, proxies, databases, smtpUrl, smsUrl } = around
  const file = (name: string) => join(folder, `${name}.json`)
  const inside = (service: ServiceName) => `http://127.0.0.1:${ports[service]}/api/v0`
  const outside = (service: ServiceName) => `${proxies[service].origin}/api/v0`
  const mail = { SMTP_URL: smtpUrl, MAIL_FROM: 'Acme <no-reply@acme.example>' }
  const relay = { RELAY_ENVIRONMENTS_FILE: file('relay'), RELAY_TRUSTED_PROXIES: 1 }
  return {
    api: {
      API_PORT: ports.api,
      API_PUBLIC_URL: outside('api'),
      DATABASE_URL: databases.api,
      API_ENVIRONMENTS_FILE: file('api'),
      API_TRUSTED_PROXIES: 1,
      API_RELAY_URLS: `${inside('r1')},${inside('r2')}`,
      SMS_URL: smsUrl,
      CUSTODY_URL: `http://127.0.0.1:${ports.custody}`,
      ...mail,
    },
    r1: {
      ...relay,
      RELAY_PORT: ports.r1,
      RELAY_PUBLIC_URL: outside('r1'),
      RELAY_DATABASE_URL: databases.r1,
      RELAY_PEER_URL: inside('r2'),
    },
    r2: {
      ...relay,
      RELAY2_PORT: ports.r2,
      RELAY2_PUBLIC_URL: outside('r2'),
      RELAY_DATABASE_URL: databases.r2,
      RELAY_PEER_URL: inside('r1'),
    },
    custody: {
      CUSTODY_PORT: ports.custody,
      CUSTODY_PUBLIC_URL: proxies.custody.origin,
      CUSTODY_DATABASE_URL: databases.custody,
      CUSTODY_ORIGINS: PAGE,
      CUSTODY_TRUSTED_PROXIES: 1,
      ...mail,
    },
    frame: {
      FRAME_PORT: ports.frame,
      FRAME_PUBLIC_URL: proxies.frame.origin,
      FRAME_ENVIRONMENTS_FILE: file('frame'),
      IDENTITY_URL: 'off',
    },
  }
}

/** Adds variables to a service's file. */
function addVariables(
  folder: string,
  service: ServiceName,
  variables: Readonly<Record<string, string | number>>,
): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  appendFileSync(getEnvFile(folder, service), lines.join(''))
}

/** Makes a token of the API for the relays. @returns its ID too */
async function makeToken({ folder, ports }: Around) {
  const { operatorToken } = JSON.parse(readFileSync(join(folder, 'api', 'keys.json'), 'utf8'))
  const address = `http://127.0.0.1:${ports.api}/api/v0/sdk/acme/api-tokens`
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'relay', scopes: ['mfa'] })
  const made = await (await fetch(address, { method: 'POST', headers, body })).json()
  return { token: String(made.token), revoke: () => fetch(`${address}/${made.id}`, { method: 'DELETE', headers }) }
}

async function startServices(around: Around, services: readonly ServiceName[]): Promise<Program[]> {
  const { folder } = around
  const environments = readEnvironments({ folder, services })
  const programs = services.map(service =>
    runProgram(fileURLToPath(new URL(PROGRAMS[service], import.meta.url)), {
      ...environments.get(service),
      KEYBAY_DATA_DIR: join(folder, 'data'),
    }),
  )
  await Promise.all(programs.map(program => program.ready()))
  return programs
}

/** Runs the doctor in a process that trusts the deployment's authority. */
function startDoctor(authorityFile: string): ChildProcess {
  const file = fileURLToPath(new URL('./doctor-worker.mjs', import.meta.url))
  return fork(file, { env: { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile } })
}

export type Deployment = Awaited<ReturnType<typeof startDeployment>>

export async function startDeployment() {
  const folder = temporaryFolder()
  const closers: (() => unknown)[] = []
  const database = await startPostgres({ fsync: 'on' })
  closers.push(database.stop)
  const [inbox, chain, authority] = await Promise.all([startInbox({}), startChain({ port: 0 }), createAuthority()])
  closers.push(inbox.stop, chain.stop)
  const authorityFile = join(folder, 'authority.pem')
  authority.write(authorityFile)
  const certificate = await authority.issue(60)
  const ports = await forEach(() => freePort())
  const metricsPorts = await forEach(() => freePort())
  const proxies = await forEach(service => startProxy(ports[service], certificate))
  closers.push(() => Object.values(proxies).map(({ server }) => server.close().closeAllConnections()))
  await makeKeys({ folder, services: SERVICES })
  const create = (name: string) => database.create(name)
  const databases = { api: create('api'), r1: create('r1'), r2: create('r2'), custody: create('custody') }
  const around: Around = {
    folder,
    ports,
    metricsPorts,
    proxies,
    databases,
    smtpUrl: inbox.smtpUrl,
    smsUrl: `${inbox.internalUrl}/sms`,
    rpcUrl: chain.internalUrl,
  }
  for (const [name, value] of Object.entries(getConfigurations(around)))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value))
  const variables = getVariables(around)
  for (const service of SERVICES)
    addVariables(folder, service, { ...variables[service], [METRICS_PORTS[service]]: metricsPorts[service] })
  await migrate(readEnvironments({ folder, services: [] }))
  const programs = await startServices(around, ['api', 'custody', 'frame'])
  closers.push(() => Promise.all(programs.map(endProgram)))
  const token = await makeToken(around)
  for (const relay of ['r1', 'r2'] as const) addVariables(folder, relay, { RELAY_API_TOKEN: token.token })
  programs.push(...(await startServices(around, ['r1', 'r2'])))
  const doctor = startDoctor(authorityFile)
  closers.push(() => doctor.kill())
  return {
    ...around,
    authority,
    authorityFile,
    certificate,
    database,
    token,
    makeToken: () => makeToken(around),
    /** Examines services, with some of their variables changed. */
    async examine(services: readonly ServiceName[] = SERVICES, changes: Env = {}): Promise<readonly Result[]> {
      const environments = [...readEnvironments({ folder, services })].map(([service, env]) => [
        service,
        { ...env, ...changes },
      ])
      doctor.send(environments)
      const [results] = await once(doctor, 'message')
      return results
    },
    async stop(): Promise<void> {
      for (const close of closers.reverse()) await close()
    },
  }
}
