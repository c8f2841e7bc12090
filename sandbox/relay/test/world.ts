/** A product API and both relays for a test file, and users who sign in there. */
import { type KeyObject, randomBytes } from 'node:crypto'
import { askLocalRelay } from '@keybay/sandbox-api'
import {
  type World as ApiWorld,
  createKit,
  type Kit,
  newKey,
  settings,
  startWorld as startApiWorld,
} from '@keybay/sandbox-api/testing/client'
import { freePort } from '@keybay/sandbox-service/free-port'
import { type EnvironmentSettings, type LogLine, type Relay, type RelayOptions, startRelay } from '../src/index.js'

export { newKey }
export const APP = 'http://app.localhost:4000'
const FRAME = 'http://wallet.localhost:4200'

export interface Person {
  readonly kit: Kit
  /** Session key of the host. */
  readonly key: KeyObject
  readonly userId: string
  readonly sessionId: string
}
export interface World {
  readonly api: ApiWorld
  readonly r1: Relay
  readonly r2: Relay
  readonly logs: LogLine[]
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  person(email?: string): Promise<Person>
  /** Makes the API accept wallets of this R1 too. */
  trust(url: string): void
  /** Moves every clock forward. */
  advance(ms: number): void
  /**
   * Waits until the API responds: opening a database blocks this process for longer than connections are kept alive.
   */
  settled(): Promise<void>
  stop(): Promise<void>
}
export interface WorldOptions {
  readonly api?: Parameters<typeof startApiWorld>[0]
  readonly environment?: Partial<EnvironmentSettings>
  readonly r1?: Partial<RelayOptions>
  readonly r2?: Partial<RelayOptions>
}

async function getEnvironments(api: ApiWorld, more: Partial<EnvironmentSettings> = {}) {
  const { operatorToken, internalUrl, url } = api.api
  const response = await fetch(`${internalUrl}/sdk/local/api-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'relay' }),
  })
  const { token } = await response.json()
  return {
    local: {
      apiUrl: internalUrl,
      issuer: `${url}/sdk/local`,
      apiToken: token,
      hostOrigins: [APP],
      frameOrigins: [FRAME],
      rpcUrl: 'http://127.0.0.1:9',
      ...more,
    },
  }
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [port1, port2] = [await freePort(), await freePort()]
  const asked = [askLocalRelay(`http://127.0.0.1:${port1}/api/v0`)]
  const api = await startApiWorld({
    recordKeys: async kid => (await Promise.all(asked.map(ask => ask(kid)))).flat(),
    environments: { local: { ...settings, embeddedWallets: { enabled: true, mostPerUser: 50 } } },
    ...options.api,
  })
  const environments = await getEnvironments(api, options.environment)
  const logs: LogLine[] = []
  const log = (line: LogLine) => {
    logs.push(line)
    if (line.message === 'unexpected error') console.error(line.error)
  }
  const shared = { environments, log, limitFactor: 100 }
  const r1 = await startRelay({ ...shared, port: port1, peerUrl: `http://127.0.0.1:${port2}/api/v0`, ...options.r1 })
  const r2 = await startRelay({
    ...shared,
    party: 2,
    port: port2,
    peerUrl: `http://127.0.0.1:${port1}/api/v0`,
    ...options.r2,
  })
  return {
    api,
    r1,
    r2,
    logs,
    environments,
    trust(url) {
      asked.push(askLocalRelay(url))
    },
    async person(email = `p${randomBytes(6).toString('hex')}@example.com`) {
      const key = newKey()
      const kit = createKit(api, api.api, key)
      const { body } = await kit.signInByEmail(email)
      return { kit, key, userId: body.user.id, sessionId: body.sessionId }
    },
    advance(ms) {
      for (const clock of [api.api.clock, r1.clock, r2.clock]) clock.advance(ms)
    },
    async settled() {
      const answers = () =>
        fetch(`http://127.0.0.1:${api.api.port}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      while (!(await answers())) await new Promise(setImmediate)
    },
    async stop() {
      await Promise.all([r1.stop(), r2.stop()])
      await api.stop()
    },
  }
}
