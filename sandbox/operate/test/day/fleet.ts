/** Two instances of every service in production on PostgreSQL, each pair behind a balancer, with keys of `keygen`. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localNetwork } from '@keybay/sandbox-api'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { type Collector, startCollector } from '@keybay/sandbox-service/testing/collector'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { endProgram, type Program, runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { makeKeys } from '../../src/keygen.js'
import { migrate } from '../../src/migrate.js'
import { type Env, getEnvFile, readEnvironments, type ServiceName } from '../../src/services.js'
import { type Balancer, startBalancer, type Target } from './balancer.js'

export const PLACES = ['api', 'r1', 'r2', 'custody', 'frame'] as const
/** Names of the databases. */
export const DATABASES = ['api', 'r1', 'r2', 'custody'] as const
export type Place = (typeof PLACES)[number]

const PROGRAMS: Readonly<Record<Place, string>> = {
  api: '../../../api/dist/main.js',
  r1: '../../../relay/dist/main.js',
  r2: '../../../relay/dist/main.js',
  custody: '../../../custody/dist/main.js',
  frame: '../../../frame/dist/server/main.js',
}
const PORTS: Readonly<Record<Place, string>> = {
  api: 'API_PORT',
  r1: 'RELAY_PORT',
  r2: 'RELAY2_PORT',
  custody: 'CUSTODY_PORT',
  frame: 'FRAME_PORT',
}
export const ORIGIN = 'https://api.acme.example'
const APP = 'http://app.localhost:4000'
const FRAME = 'http://wallet.localhost:4200'

interface Instance {
  readonly program: Program
  readonly target: Target
}

export interface Fleet {
  readonly inbox: Inbox
  /** Has the spans of requests with a trace. */
  readonly collector: Collector
  readonly balancers: Readonly<Record<Place, Balancer>>
  environments(): ReadonlyMap<ServiceName, Env>
  /** Sends a request of the operator to the API. */
  operate(path: string, body?: object): Promise<Response>
  /** Ends one instance as a crash does, and starts another one. */
  kill(place: Place): Promise<void>
  /** Replaces every instance: starts the next ones, then stops the old ones. @returns the exit codes of the old ones */
  roll(place: Place): Promise<readonly (number | null)[]>
  stop(): Promise<void>
}

/** Environments of the API, the relays and the frame, by the names that the helpers of tests use. */
function getSettings(folder: string, apiPort: number) {
  const origins = { frameOrigins: [FRAME] }
  const rpcUrl = 'http://127.0.0.1:9'
  return {
    api: {
      local: {
        ...origins,
        allowedOrigins: [APP],
        signIn: { phone: false },
        embeddedWallets: { enabled: true, mostPerUser: 50 },
        custody: { enabled: true },
        networks: [localNetwork(rpcUrl)],
      },
    },
    relay: {
      local: {
        ...origins,
        apiUrl: `http://127.0.0.1:${apiPort}/api/v0`,
        issuer: `${ORIGIN}/api/v0/sdk/local`,
        hostOrigins: [APP],
        rpcUrl,
      },
    },
    frame: [
      {
        environmentId: 'local',
        baseApiUrl: `${ORIGIN}/api/v0`,
        relays: (['r1', 'r2'] as const).map(relay => ({
          ...JSON.parse(readFileSync(join(folder, relay, 'party.json'), 'utf8')),
          url: `https://${relay}.acme.example/api/v0`,
        })),
        parentOrigins: [APP],
      },
    ],
  }
}

/** Sends a request with the operator's token of the API. */
function operateApi(folder: string, apiPort: number, path: string, body: object = {}): Promise<Response> {
  const { operatorToken } = JSON.parse(readFileSync(join(folder, 'api/keys.json'), 'utf8'))
  return fetch(`http://127.0.0.1:${apiPort}/api/v0/sdk/local${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function startBalancers() {
  return {
    api: await startBalancer(),
    r1: await startBalancer(),
    r2: await startBalancer(),
    custody: await startBalancer(),
    frame: await startBalancer(),
  }
}

type Variables = Readonly<Record<string, string | number>>

interface Around {
  readonly folder: string
  readonly inbox: Inbox
  /** Returns the address of a place, with `/api/v0`. */
  readonly url: (place: Place) => string
  /** Makes a database. */
  readonly create: (name: string) => string
}

/** Returns what each service is told next to its keys. */
function getVariables({ folder, inbox, url, create }: Around): Readonly<Record<Place, Variables>> {
  const file = (name: string) => join(folder, `${name}.json`)
  const mail = { SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'no-reply@acme.example' }
  const relay = {
    RELAY_ENVIRONMENTS_FILE: file('relay'),
    RELAY_TRUSTED_PROXIES: 1,
    RELAY_PUBLIC_URL: 'https://r1.acme.example/api/v0',
    RELAY2_PUBLIC_URL: 'https://r2.acme.example/api/v0',
  }
  return {
    api: {
      API_PUBLIC_URL: `${ORIGIN}/api/v0`,
      DATABASE_URL: create('api'),
      API_ENVIRONMENTS_FILE: file('api'),
      API_TRUSTED_PROXIES: 1,
      API_RELAY_URLS: `${url('r1')},${url('r2')}`,
      CUSTODY_URL: new URL(url('custody')).origin,
      ...mail,
    },
    r1: { ...relay, RELAY_PEER_URL: url('r2'), RELAY_DATABASE_URL: create('r1') },
    r2: { ...relay, RELAY_PEER_URL: url('r1'), RELAY_DATABASE_URL: create('r2') },
    custody: {
      CUSTODY_PUBLIC_URL: 'https://custody.acme.example',
      CUSTODY_DATABASE_URL: create('custody'),
      CUSTODY_ORIGINS: APP,
      CUSTODY_TRUSTED_PROXIES: 1,
      ...mail,
    },
    frame: {
      FRAME_PUBLIC_URL: 'https://wallet.acme.example',
      FRAME_ENVIRONMENTS_FILE: file('frame'),
      IDENTITY_URL: 'off',
    },
  }
}

/** @param database server with a database for each service; default: one of its own */
export async function startFleet(database?: Pick<Postgres, 'create' | 'stop'>): Promise<Fleet> {
  const server = database ?? (await startPostgres({ fsync: 'on' }))
  const folder = temporaryFolder()
  const inbox = await startInbox({})
  const collector = await startCollector()
  // Only requests that come with a trace are traced.
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
  const balancers = await startBalancers()
  const url = (place: Place) => `http://127.0.0.1:${balancers[place].port}/api/v0`
  await makeKeys({ folder, services: PLACES })
  for (const [name, value] of Object.entries(getSettings(folder, balancers.api.port)))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value))
  const add = (place: Place, variables: Variables) => {
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
    appendFileSync(getEnvFile(folder, place), lines.join(''))
  }
  const variables = getVariables({ folder, inbox, url, create: name => server.create(name) })
  for (const place of PLACES) add(place, variables[place])
  const environments = () => readEnvironments({ folder, services: PLACES })
  await migrate(environments())
  const instances: Readonly<Record<Place, Set<Instance>>> = {
    api: new Set(),
    r1: new Set(),
    r2: new Set(),
    custody: new Set(),
    frame: new Set(),
  }
  const start = async (place: Place): Promise<void> => {
    const port = await freePort()
    const env = {
      ...environments().get(place),
      ...tracing,
      OTEL_SERVICE_NAME: place,
      [PORTS[place]]: String(port),
      KEYBAY_DATA_DIR: join(folder, 'data'),
    }
    const program = runProgram(fileURLToPath(new URL(PROGRAMS[place], import.meta.url)), env)
    await program.ready()
    const target = { port, isReady: true }
    balancers[place].targets.add(target)
    instances[place].add({ program, target })
  }
  const remove = (place: Place, instance: Instance) => {
    balancers[place].targets.delete(instance.target)
    instances[place].delete(instance)
  }
  const startPair = (place: Place) => Promise.all([start(place), start(place)])
  await Promise.all([startPair('api'), startPair('custody'), startPair('frame')])
  const operate: Fleet['operate'] = (path, body) => operateApi(folder, balancers.api.port, path, body)
  const { token: RELAY_API_TOKEN } = await (await operate('/api-tokens', { name: 'relay', scopes: ['mfa'] })).json()
  for (const place of ['r1', 'r2'] as const) add(place, { RELAY_API_TOKEN })
  await Promise.all([startPair('r1'), startPair('r2')])
  return {
    inbox,
    collector,
    balancers,
    environments,
    operate,
    async kill(place) {
      const [oldest] = instances[place]
      if (!oldest) throw new Error(`${place} has no instance`)
      await endProgram(oldest.program)
      remove(place, oldest)
      await start(place)
    },
    async roll(place) {
      const old = [...instances[place]]
      await startPair(place)
      return Promise.all(
        old.map(async instance => {
          instance.program.child.kill('SIGTERM')
          const { code } = await instance.program.ended()
          remove(place, instance)
          return code
        }),
      )
    },
    async stop() {
      await Promise.all(PLACES.flatMap(place => [...instances[place]].map(({ program }) => endProgram(program))))
      for (const balancer of Object.values(balancers)) balancer.stop()
      collector.stop()
      await inbox.stop()
      server.stop()
    },
  }
}
