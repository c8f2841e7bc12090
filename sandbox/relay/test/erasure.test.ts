/** A user's data comes as one document, and an erasure removes the relays' shares late, slowly and only of unused wallets. */
import { randomUUID } from 'node:crypto'
import { createServiceKeys, getSigningKeys } from '@keybay/sandbox-api/testing/service-keys'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { erasures, shareSets } from '../src/db/schema.js'
import { create, only, sign, text } from './frame/index.js'
import { startWorld, type User } from './world.js'

const DAY = 86_400_000
const databases: Awaited<ReturnType<typeof openDatabase>>[] = []
async function openAndKeep(options: Parameters<typeof openDatabase>[0]) {
  const database = await openDatabase(options)
  databases.push(database)
  return database
}
const apiKeys = createServiceKeys()
const world = await startWorld({
  api: { keys: JSON.stringify(apiKeys) },
  r1: { openDatabase: openAndKeep },
  r2: { openDatabase: openAndKeep },
})
const r1 = only(world.r1)
afterAll(world.stop)
afterEach(() => {
  for (const { clock } of [world.api.api, world.r1, world.r2]) clock.reset()
})

function operate(action: 'export' | 'erase' | 'block' | 'unblock', { userId }: User) {
  const options = { method: 'POST', token: world.api.api.operatorToken, proof: false } as const
  return world.api.kit().call(`/users/${userId}/${action}`, options)
}
/** Sends R1 an instruction that a thief of the API's key could send. */
function instructErasure({ userId }: Pick<User, 'userId'>) {
  const iat = Math.floor(world.r1.clock.now() / 1000)
  const claims = { aud: 'relay local', op: 'erase', sub: userId, jti: randomUUID(), iat }
  const body = JSON.stringify({ message: getSigningKeys(apiKeys, 'local').signOperatorMessage(claims) })
  const headers = { 'content-type': 'application/json' }
  return fetch(`${world.r1.internalUrl}/sdk/local/operator`, { method: 'POST', headers, body })
}
async function sweepAll() {
  for (const { sweep } of [world.api.api, world.r1, world.r2]) await sweep()
}
/** Returns the number of the user's shares that each relay holds. */
function getShares({ userId }: User): Promise<number[]> {
  const held = and(eq(shareSets.userId, userId), isNotNull(shareSets.share))
  return Promise.all(databases.map(({ db }) => db.$count(shareSets, held)))
}

it('exports the data of one user at the API and both relays, without any secret and without other users', async () => {
  const [user, other] = [await world.user('mine@example.com'), await world.user('other@example.com')]
  const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
  const foreign = await create(r1, other, { scheme: 'THREE_OF_FIVE' })
  await sign(r1, wallet, text('one'))
  const { status, body } = await operate('export', user)
  expect(status).toBe(200)
  expect(body.api.credentials).toMatchObject([{ subject: 'mine@example.com' }])
  expect(body.api.embeddedWallets).toMatchObject([{ address: wallet.address }])
  expect(body.relays.map(({ party }: { party: string }) => party)).toEqual(['R1', 'R2'])
  for (const relay of body.relays) {
    expect(relay.wallets).toMatchObject([{ id: wallet.walletId, address: wallet.address }])
    expect(relay.shareSets).toMatchObject([{ id: wallet.setId }])
    expect(relay.audit.length).toBeGreaterThanOrEqual(2)
    expect(relay.records).toMatchObject([{ walletId: wallet.walletId }])
  }
  const whole = JSON.stringify(body)
  expect(whole).not.toMatch(/"(share|sealedSeed|secret|refreshCounter)":"/)
  for (const secret of [user.kit.token, user.kit.refresh, other.userId, foreign.address, 'other@example.com'])
    expect(whole).not.toContain(secret)
  const own = await user.kit.call('/users/me/export', { method: 'POST' })
  expect(own.body.relays).toHaveLength(2)
})

it('an erasure that the user does not undo removes the shares at both relays, after all delays, and a repeat changes nothing', async () => {
  const email = 'erased@example.com'
  const user = await world.user(email)
  const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
  const { body } = await operate('erase', user)
  expect(body.deletesAt).toBeGreaterThanOrEqual(world.api.api.clock.now() + 29 * DAY)
  expect((await operate('erase', user)).body).toEqual(body)
  expect(await world.api.mailAbout('Account will be deleted – Acme', email)).toMatchObject({ kind: 'mail' })
  world.advance(31 * DAY)
  await sweepAll()
  // The user is gone at the API, and the relays have only noted the date.
  expect((await operate('export', user)).status).toBe(404)
  expect(await getShares(user)).toEqual([1, 1])
  world.advance(13 * DAY)
  await sweepAll()
  expect(await getShares(user)).toEqual([1, 1])
  world.advance(2 * DAY)
  for (let round = 0; round < 2; round++) await Promise.all([sweepAll(), sweepAll()])
  expect(await getShares(user)).toEqual([0, 0])
  expect(wallet.address).not.toBe('')
})

it('a user who signs in and keeps the account keeps the wallet', async () => {
  const email = 'kept@example.com'
  const user = await world.user(email)
  await create(r1, user, { scheme: 'TWO_OF_THREE' })
  await operate('erase', user)
  const kit = world.api.kit()
  await kit.signInByEmail(email)
  expect((await kit.call('/users/me/restore', { method: 'POST' })).status).toBe(200)
  world.advance(60 * DAY)
  await sweepAll()
  world.advance(30 * DAY)
  await sweepAll()
  expect(await getShares(user)).toEqual([1, 0])
})

/** Removes the user at the API, so that both relays get the instruction to erase. */
async function purge(user: User) {
  await operate('erase', user)
  world.advance(31 * DAY)
  await sweepAll()
}

it('a relay gives up an erasure when a wallet of the user is used before its date', async () => {
  const user = await world.user()
  const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
  const lied = instructErasure(user)
  expect((await lied).status).toBe(200)
  expect((await sign(r1, wallet, text('in use'))).status).toBe(200)
  world.r1.clock.advance(15 * DAY)
  await world.r1.sweep()
  world.r1.clock.advance(15 * DAY)
  await world.r1.sweep()
  expect(await getShares(user)).toEqual([1, 0])
})

it('a block is no use of a wallet: the erasure goes on, but not if the wallet was also used', async () => {
  const [quiet, active] = [await world.user(), await world.user()]
  await create(r1, quiet, { scheme: 'TWO_OF_THREE' })
  const wallet = await create(r1, active, { scheme: 'TWO_OF_THREE' })
  for (const user of [quiet, active]) expect((await instructErasure(user)).status).toBe(200)
  expect((await sign(r1, wallet, text('in use'))).status).toBe(200)
  for (const user of [quiet, active])
    for (const action of ['block', 'unblock'] as const)
      expect((await operate(action, user)).body).toMatchObject({ pending: [] })
  world.r1.clock.advance(15 * DAY)
  await world.r1.sweep()
  expect([await getShares(quiet), await getShares(active)]).toEqual([
    [0, 0],
    [1, 0],
  ])
})

it('blocks before an erasure was scheduled hide no use after it', async () => {
  const user = await world.user('blocked-before@example.com')
  const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
  for (const action of ['block', 'unblock'] as const) await operate(action, user)
  expect((await instructErasure(user)).status).toBe(200)
  const again = { ...wallet, user: await world.user('blocked-before@example.com') }
  expect((await sign(r1, again, text('in use'))).status).toBe(200)
  world.r1.clock.advance(15 * DAY)
  await world.r1.sweep()
  expect(await getShares(user)).toEqual([1, 0])
})

it('an erasure that fails at one of two wallets erases the other, and the next sweep resumes it', async () => {
  const user = await world.user()
  for (const _ of [1, 2]) await create(r1, user, { scheme: 'TWO_OF_THREE' })
  await purge(user)
  const [database] = databases
  // A sequence keeps its value when the transaction fails, so only the first change fails.
  for (const statement of [
    'create sequence tried',
    `create function fault() returns trigger language plpgsql as $$ begin
      if nextval('tried') = 1 then raise exception 'fault'; end if; return new; end $$`,
    `create trigger fault before update on share_sets for each row when (old.user_id = '${user.userId}') execute function fault()`,
  ])
    await database?.db.execute(sql.raw(statement))
  world.advance(15 * DAY)
  await sweepAll()
  expect(await getShares(user)).toEqual([1, 0])
  await sweepAll()
  expect(await getShares(user)).toEqual([0, 0])
})

it('a relay erases no more than 50 users of an environment in a day', async () => {
  const users = Array.from({ length: 51 }, () => randomUUID())
  for (const userId of users) expect((await instructErasure({ userId })).status).toBe(200)
  world.r1.clock.advance(15 * DAY)
  const counted = async () =>
    databases[0]?.db.$count(erasures, and(inArray(erasures.userId, users), isNotNull(erasures.doneAt)))
  const before = await databases[0]?.db.$count(erasures, isNotNull(erasures.doneAt))
  await world.r1.sweep()
  await world.r1.sweep()
  expect(((await counted()) ?? 0) + (before ?? 0)).toBeLessThanOrEqual(50)
  world.r1.clock.advance(DAY + 1)
  await world.r1.sweep()
  expect(await counted()).toBe(51)
})
