/** A product API and both relays for a test file, and users who sign in there. */

import { createHash, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { askLocalRelay } from '@keybay/sandbox-api'
import {
  type World as ApiWorld,
  createKit,
  type Kit,
  newKey,
  settings,
  startWorld as startApiWorld,
} from '@keybay/sandbox-api/testing/client'
import { atEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { sealingKeyPair } from '@keybay/waas/mpc'
import { type EnvironmentSettings, type LogLine, type Relay, type RelayOptions, startRelay } from '../src/index.js'
import { newDatabase } from './database.js'

export { newKey }
export const APP = 'http://app.localhost:4000'
const FRAME = 'http://wallet.localhost:4200'

export interface User {
  readonly kit: Kit
  /** Session key of the host. */
  readonly key: KeyObject
  readonly userId: string
  readonly sessionId: string
}
/** A second factor: a phone that makes codes (RFC 6238). */
export interface Factor {
  readonly deviceId: string
  readonly secret: string
}
interface Demand {
  readonly action: string
  readonly requestHash: string
}
export interface World {
  readonly api: ApiWorld
  readonly r1: Relay
  readonly r2: Relay
  readonly logs: LogLine[]
  /** Returns the log line of a response: relays that compare themselves in the background also write lines. */
  lineOf(response: Response): LogLine | undefined
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  user(email?: string): Promise<User>
  /** Enrols a second factor. */
  enrol(user: User): Promise<Factor>
  /** Returns the MFA token that a code of the factor yields. */
  tokenFor(user: User, demand: Demand, factor: Factor): Promise<string>
  /** Signs the user in again with the refresh token, after the access token has expired. */
  refresh(user: User): Promise<void>
  /** Starts another R1, whose wallets the API accepts too: next to R2 with keys that R2 knows, else a single relay. */
  startR1(options: Partial<RelayOptions>): Promise<Relay>
  /** Makes the API accept wallets of this R1 too. */
  trust(url: string): void
  /** Moves every clock forward. */
  advance(ms: number): void
  /** Waits until the API responds: opening a database blocks this process for longer than connections are kept alive. */
  settled(): Promise<void>
  stop(): Promise<void>
}
export interface WorldOptions {
  readonly api?: Parameters<typeof startApiWorld>[0]
  readonly environment?: Partial<EnvironmentSettings>
  readonly r1?: Partial<RelayOptions>
  readonly r2?: Partial<RelayOptions>
}

async function getEnvironments({ api }: ApiWorld, more: Partial<EnvironmentSettings> = {}) {
  const { operatorToken, internalUrl: apiUrl, url } = api
  const response = await fetch(`${apiUrl}/sdk/local/api-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'relay' }),
  })
  const { token: apiToken } = await response.json()
  const origins = { hostOrigins: [APP], frameOrigins: [FRAME] }
  return { local: { apiUrl, issuer: `${url}/sdk/local`, apiToken, ...origins, rpcUrl: 'http://127.0.0.1:9', ...more } }
}

/** Returns the database of a relay that a test gives no folder. */
async function getDatabase({ dataDir, databaseUrl }: Partial<RelayOptions> = {}): Promise<Partial<RelayOptions>> {
  if (dataDir !== undefined || databaseUrl !== undefined) return {}
  const url = await newDatabase()
  return url === undefined ? {} : { databaseUrl: url }
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [port1, port2] = [await freePort(), await freePort()]
  const keyLookups = [askLocalRelay(`http://127.0.0.1:${port1}/api/v0`)]
  const api = await startApiWorld({
    recordKeys: async kid => (await Promise.all(keyLookups.map(ask => ask(kid)))).flat(),
    environments: { local: { ...settings, embeddedWallets: { enabled: true, mostPerUser: 50 } } },
    relays: [port1, port2].map(port => `http://127.0.0.1:${port}/api/v0`),
    ...options.api,
  })
  const environments = await getEnvironments(api, options.environment)
  const logs: LogLine[] = []
  const log = (line: LogLine) => {
    logs.push(line)
    if (line.message === 'unexpected error') console.error(line.error)
  }
  const shared = { mode: 'sandbox' as const, environments, log, limitFactor: 100 }
  const peer = (port: number) => ({ peerUrl: `http://127.0.0.1:${port}/api/v0` })
  const r1 = await startRelay({
    ...shared,
    port: port1,
    ...peer(port2),
    ...(await getDatabase(options.r1)),
    ...options.r1,
  })
  const r2 = await startRelay({
    ...shared,
    party: 2,
    port: port2,
    ...peer(port1),
    ...(await getDatabase(options.r2)),
    ...options.r2,
  })
  const world: World = {
    api,
    r1,
    r2,
    logs,
    lineOf: ({ headers }) => logs.find(({ requestId }) => requestId === headers.get('x-request-id')),
    environments,
    async user(email = `u${randomBytes(6).toString('hex')}@example.com`) {
      const key = newKey()
      const kit = createKit(api, api.api, key)
      const { body } = await kit.signInByEmail(email)
      return { kit, key, userId: body.user.id, sessionId: body.sessionId }
    },
    async enrol({ kit }) {
      const { device, totp, challenge } = (await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } }))
        .body
      const code = totpAt(totp.secret, api.api.clock.now())
      const body = { challengeId: challenge.challengeId, code }
      await kit.call(`/mfa/devices/${device.id}/confirm`, { body })
      // A code works once, so move on to the next code.
      world.advance(30_000)
      return { deviceId: device.id, secret: totp.secret }
    },
    async tokenFor({ kit }, { action, requestHash }, { deviceId, secret }) {
      const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId } })
      const code = totpAt(secret, api.api.clock.now())
      const { body } = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code } })
      world.advance(30_000)
      return body.mfaToken
    },
    async refresh({ kit }) {
      kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh } }))
    },
    async startR1(more) {
      // R2 answers the keys that it knows.
      const peer = more.keys === undefined ? {} : { peerUrl: r2.internalUrl }
      const place = { mode: 'sandbox' as const, environments, ...peer, clock: r1.clock, limitFactor: 100 }
      const relay = await startRelay({ ...place, ...more })
      world.trust(relay.internalUrl)
      await world.settled()
      return relay
    },
    trust(url) {
      keyLookups.push(askLocalRelay(url))
    },
    advance(ms) {
      for (const clock of [api.api.clock, r1.clock, r2.clock]) clock.advance(ms)
    },
    async settled() {
      const answers = () => fetch(`http://127.0.0.1:${api.api.port}/health`).catch(() => undefined)
      while (!(await answers())?.ok) await new Promise(setImmediate)
    },
    async stop() {
      await Promise.all([r1.stop(), r2.stop()])
      await api.stop()
    },
  }
  await world.settled()
  return world
}

let shared: Promise<World> | undefined

/** Returns the world of the files that need no options: each test has its own users, and no file moves a clock far. */
export function getSharedWorld(): Promise<World> {
  if (shared) return shared
  const starting = startWorld()
  atEndOfRun(async () => (await starting).stop())
  shared = starting
  return starting
}

/** Keys of a relay that a test knows, to lie in its name or to start another relay that the peer takes for it. */
export interface RelayKeys {
  /** Value of the relay's `keys` option. */
  readonly keys: string
  /** Key that signs the relay's records and forwarded requests. */
  readonly recordKey: KeyObject
  readonly kid: string
}

export function newRelayKeys(): RelayKeys {
  const { kty, crv, x, y, d } = newKey().export({ format: 'jwk' })
  const { secretKey, publicKey } = sealingKeyPair()
  const text = (key: Uint8Array) => Buffer.from(key).toString('base64url')
  const sealing = { secretKey: text(secretKey), publicKey: text(publicKey) }
  const keys = JSON.stringify({ record: [{ kty, crv, x, y, d }], sealing })
  const recordKey = createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { keys, recordKey, kid }
}
