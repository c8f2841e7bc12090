/** Rotates the API's secret on a real PostgreSQL, while two instances serve users. */
import { type KeyObject, randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localNetwork } from '@keybay/sandbox-api'
import { APP, createKit, type Kit, newKey, startWorld, type Totp, type World } from '@keybay/sandbox-api/testing/client'
import { actions, socialSettings } from '@keybay/sandbox-api/testing/social-world'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { endProgram, runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeKeys } from '../src/keygen.js'

const STEP_MS = 30_000

let database: Postgres
let identity: Identity
beforeAll(async () => {
  ;[database, identity] = await Promise.all([startPostgres(), startIdentity()])
}, 120_000)
afterAll(async () => {
  await identity?.stop()
  database?.stop()
})

interface User {
  readonly key: KeyObject
  readonly id: string
  readonly totp: Totp
  readonly accessToken: string
  token: string | undefined
  refresh: string | undefined
}

/** Two instances with the key file as it is when each starts. */
class Instances {
  readonly #worlds: World[] = []
  readonly #url: string
  readonly #file: string
  /** Lead of the clocks, in ms: an authenticator app's code counts once. */
  #ahead = 0
  #apiToken: Promise<string> | undefined

  constructor(url: string, file: string) {
    this.#url = url
    this.#file = file
  }

  async #start(): Promise<World> {
    const world = await startWorld({
      databaseUrl: this.#url,
      keys: readFileSync(this.#file, 'utf8'),
      publicUrl: 'http://api.app.localhost:4100/api/v0',
      social: { identity: { publicUrl: identity.url, internalUrl: identity.internalUrl } },
      environments: {
        local: {
          ...socialSettings,
          allowedOrigins: [APP],
          networks: [localNetwork('http://127.0.0.1:9')],
          transactions: { sponsorship: { dailyLamports: 50_000 } },
        },
      },
    })
    world.api.clock.advance(this.#ahead)
    return world
  }

  async restart(index: 0 | 1): Promise<void> {
    await this.#worlds[index]?.stop()
    this.#worlds[index] = await this.#start()
  }

  /** Token of the host's server, made once. */
  getApiToken(): Promise<string> {
    this.#apiToken ??= this.world(0).apiToken()
    return this.#apiToken
  }

  async stop(): Promise<void> {
    await Promise.all(this.#worlds.map(world => world.stop()))
  }

  advance(): void {
    this.#ahead += STEP_MS
    for (const { api } of this.#worlds) api.clock.advance(STEP_MS)
  }

  at(index: number, { key, token, refresh }: Pick<User, 'key' | 'token' | 'refresh'>): Kit {
    const world = this.world(index)
    return Object.assign(createKit(world, world.api, key), { token, refresh })
  }

  world(index: number): World {
    const world = this.#worlds[index % 2]
    if (!world) throw new Error(`Instance ${index} has not started.`)
    return world
  }
}

async function readProviderToken(instances: Instances, index: number, userId: string): Promise<string> {
  const path = `/social/spotify/token?userId=${userId}`
  const { status, body } = await instances
    .world(index)
    .kit()
    .call(path, { token: await instances.getApiToken() })
  return status === 200 ? body.accessToken : body.code
}

/** Signs in at one instance, links an account of a provider, and adds an authenticator app there. */
async function signUp(instances: Instances, index: number, provided: string | undefined): Promise<User> {
  const { api } = instances.world(index)
  const key = newKey()
  const kit = instances.at(index, { key, token: undefined, refresh: undefined })
  const { status, body } = await kit.signInByEmail(`${randomUUID()}@example.com`)
  expect(status).toBe(200)
  const { id } = body.user
  if (provided !== undefined) {
    const linked = await actions(identity, [api.port]).linkAs(kit, 'spotify', provided)
    expect(linked.status).toBe(201)
  }
  const accessToken = await readProviderToken(instances, index, id)
  return { key, id, totp: await kit.enrolTotp(), accessToken, token: kit.token, refresh: kit.refresh }
}

/** Users of the provider; later users of the API have no account there. */
const PROVIDED = ['ann', 'ben', 'cleo']

/** Renews a session, proves the second factor, and reads the provider's token. */
async function use(instances: Instances, index: number, user: User, recoveryCode?: string): Promise<void> {
  const kit = instances.at(index, user)
  const renewed = await kit.call('/auth/refresh', { body: { refreshToken: user.refresh }, token: '' })
  expect(renewed.status).toBe(200)
  kit.keep(renewed)
  Object.assign(user, { token: kit.token, refresh: kit.refresh })
  const code = totpAt(user.totp.secret, instances.world(index).api.clock.now())
  const [answer, deviceId] = recoveryCode === undefined ? [{ code }, user.totp.deviceId] : [{ recoveryCode }]
  const change = { method: 'PATCH', body: { metadata: { index } } }
  expect((await kit.callWithMfa('/users/me', change, answer, deviceId)).status).toBe(200)
  expect(await readProviderToken(instances, index, user.id)).toBe(user.accessToken)
}

function startRotation(folder: string, ...more: readonly string[]) {
  const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  return runProgram(program, {}, ['rotate', 'api', '--key', 'secret', '--env', folder, ...more])
}

async function rotate(folder: string, ...more: readonly string[]): Promise<string> {
  return (await startRotation(folder, ...more).ended()).output
}

/** Returns everything that the database holds sealed. */
async function readSealed(url: string): Promise<readonly { readonly sealed: string; readonly context: string }[]> {
  const sql = postgres(url, { max: 1 })
  const rows = await sql<{ sealed: string; context: string }[]>`
    select value as sealed, name as context from facts where name = 'hash-key'
    union all select sealed, 'factor ' || id from mfa_devices where sealed is not null
    union all select sealed, 'social tokens ' || credential_id from social_tokens
    union all select sealed, 'sponsor ' || environment_id from sponsors`
  await sql.end()
  return rows
}

function countOpen(rows: Awaited<ReturnType<typeof readSealed>>, secret: string): number {
  const envelope = createEnvelope([new Uint8Array(Buffer.from(secret, 'base64url'))])
  return rows.filter(({ sealed, context }) => {
    try {
      return envelope.open(sealed, context).length > 0
    } catch {
      return false
    }
  }).length
}

it('rotate replaces the secret of two running instances: users stay signed in, with their factors and tokens, and the old secret then opens nothing', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['api'] })
  const [url, file] = [database.create('secret'), join(folder, 'api', 'keys.json')]
  const env = join(folder, 'api.env')
  appendFileSync(env, `DATABASE_URL=${url}\n`)
  const readKeys = () => JSON.parse(readFileSync(file, 'utf8'))
  const before = readKeys()
  const instances = new Instances(url, file)
  const users: User[] = []
  /** A user of each earlier moment uses what is kept at one instance, and a new one signs up there. */
  const check = async (index: number) => {
    instances.advance()
    for (const [offset, user] of users.entries()) await use(instances, index + offset, user)
    users.push(await signUp(instances, index, PROVIDED[users.length]))
  }
  const restart = async () => {
    for (const index of [0, 1] as const) {
      await instances.restart(index)
      await check(index)
    }
  }
  try {
    for (const index of [0, 1] as const) await instances.restart(index)
    for (const index of [0, 1]) await check(index)
    expect(await rotate(folder)).toMatch(/^api: Step 1 of 3: a new key is behind the old one/)
    const [, next] = readKeys().secret.split(',')
    expect(readKeys()).toEqual({ ...before, secret: `${before.secret},${next}` })
    await restart()
    expect(await rotate(folder, '--restarted')).toMatch(/^api: Step 2 of 3/)
    await restart()
    expect(countOpen(await readSealed(url), before.secret)).toBeGreaterThan(users.length)

    // The third step is killed while it waits for a row: the hash key and the factors are sealed again, the tokens are not.
    const sql = postgres(url, { max: 2 })
    await sql.begin(async transaction => {
      await transaction`select 1 from social_tokens for update`
      const program = startRotation(folder, '--restarted')
      await vi.waitUntil(async () => (await sql`select 1 from pg_locks where not granted`).length > 0, {
        timeout: 30_000,
      })
      await endProgram(program)
    })
    await sql.end()
    const halfway = await readSealed(url)
    expect(countOpen(halfway, before.secret)).toBeGreaterThan(0)
    expect(countOpen(halfway, before.secret) + countOpen(halfway, next)).toBe(halfway.length)
    await check(0)
    await restart()

    expect(await rotate(folder, '--restarted')).toMatch(/^api: Step 3 of 3: [1-9]\d* secrets were moved to the new key/)
    expect(readKeys()).toEqual({ ...before, secret: next })
    const sealed = await readSealed(url)
    expect([countOpen(sealed, before.secret), countOpen(sealed, next)]).toEqual([0, sealed.length])
    await check(1)
    await restart()
    instances.advance()
    for (const [index, user] of users.entries()) await use(instances, index, user, user.totp.recoveryCodes[0])
    const [retired = ''] = readdirSync(join(folder, 'api')).filter(name => name.includes('retired'))
    expect(readFileSync(join(folder, 'api', retired), 'utf8')).toBe(before.secret)
    const old = startWorld({ databaseUrl: url, keys: JSON.stringify(before) })
    await expect(old).rejects.toThrow(/does not know this secret/)
  } finally {
    await instances.stop()
  }
}, 300_000)
