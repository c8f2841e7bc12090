/** Tests hosted backups: access to store, read and erase them, and invalid backups. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arriveIn, FRAME, getEnvelope, getStatement, type Person } from './backup-frame.js'
import { APP, newKey, settings, startWorld, type World } from './client.js'

let world: World
beforeAll(async () => {
  world = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME] } } })
})
afterAll(() => world.stop())

function arrive(email: string): Promise<Person> {
  return arriveIn(world, email)
}

function state(person: Person, claims: object = {}, typ?: string): string {
  return getStatement(world, person, claims, typ)
}
interface Ask {
  readonly method?: string
  readonly body?: object
  readonly origin?: string
  readonly session?: string
}

function ask(person: Person, path: string, { origin = FRAME, session = state(person), ...rest }: Ask = {}) {
  return person.kit.call(`/backups/${path}`, {
    ...rest,
    proof: false,
    headers: { origin, 'x-keybay-session': session },
  })
}

function keep(person: Person, walletId: string, epoch = 0, envelope = getEnvelope(walletId, epoch)) {
  return ask(person, walletId, { body: { epoch, envelope } })
}

it('stores backup envelopes, lists the newest first, returns the exact bytes, and erases them', async () => {
  const person = await arrive('keeps@example.com')
  const walletId = randomUUID()
  const [first, second] = [getEnvelope(walletId, 0), getEnvelope(walletId, 1)]
  const old = await keep(person, walletId, 0, first)
  expect(old).toMatchObject({ status: 201, body: { epoch: 0, size: Buffer.from(first, 'base64url').length } })
  expect(old.headers.get('access-control-allow-origin')).toBe(FRAME)
  const made = await keep(person, walletId, 1, second)
  const { body } = await ask(person, walletId)
  expect(body.backups.map(({ id }: { id: string }) => id)).toEqual([made.body.id, old.body.id])
  expect((await ask(person, `${walletId}/${made.body.id}`)).body.envelope).toBe(second)
  expect((await ask(person, `${walletId}/${old.body.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await ask(person, `${walletId}/${old.body.id}`)).body).toMatchObject({ code: 'backup_not_found' })
  expect((await keep(person, walletId, 1, second)).body).toMatchObject({ code: 'key_share_already_backed_up' })
  expect((await ask(person, walletId)).body.backups).toHaveLength(1)
})

describe('access to backups', () => {
  it('does not list, return or erase backups of another user', async () => {
    const [mara, eve] = [await arrive('mara-b@example.com'), await arrive('eve-b@example.com')]
    const walletId = randomUUID()
    const { id } = (await keep(mara, walletId)).body
    expect((await ask(eve, walletId)).body).toEqual({ backups: [] })
    expect((await ask(eve, `${walletId}/${id}`)).status).toBe(404)
    expect((await ask(eve, `${walletId}/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await ask(mara, `${walletId}/${id}`)).status).toBe(200)
    expect((await ask(mara, `${walletId}/${id}`, { session: state(eve) })).status).toBe(401)
  })

  it('a stolen token cannot reach backups without the frame’s origin and a valid, recent statement', async () => {
    const person = await arrive('stolen-b@example.com')
    const walletId = randomUUID()
    await keep(person, walletId)
    const old = Math.floor(world.api.clock.now() / 1000) - 3600
    const outsider: Person = { kit: person.kit, key: newKey() }
    const wrong = [
      { session: '' },
      { session: state(outsider) },
      { session: state(person, { iat: old }) },
      { session: state(person, { origin: 'https://evil.example' }) },
      { session: state(person, { op: 'signMessage' }) },
      { session: state(person, { sid: randomUUID() }) },
      { session: state(person, {}, 'dpop+jwt') },
    ]
    for (const one of wrong) expect((await ask(person, walletId, one)).body).toMatchObject({ code: 'invalid_proof' })
    expect((await ask(person, walletId, { origin: APP })).body).toMatchObject({ code: 'origin_not_allowed' })
  })

  it('a statement that allows reading backups does not allow writing them', async () => {
    const person = await arrive('reads-b@example.com')
    const walletId = randomUUID()
    const { id } = (await keep(person, walletId)).body
    const session = state(person, { op: 'addDevice' })
    expect((await ask(person, `${walletId}/${id}`, { session })).status).toBe(200)
    expect((await ask(person, `${walletId}/${id}`, { session, method: 'DELETE' })).status).toBe(401)
    const body = { epoch: 1, envelope: getEnvelope(walletId, 1) }
    expect((await ask(person, walletId, { session, body })).status).toBe(401)
  })

  it('access to backups ends when the user is deleted', async () => {
    const person = await arrive('ends-b@example.com')
    await keep(person, randomUUID())
    expect((await person.kit.call('/users/me', { method: 'DELETE' })).status).toBe(204)
    expect((await ask(person, randomUUID())).status).toBe(401)
  })
})

describe('invalid backups', () => {
  it.each([
    ['another wallet’s', (walletId: string) => ({ epoch: 0, envelope: getEnvelope(walletId.replace(/^./, '0')) })],
    ['another epoch’s', (walletId: string) => ({ epoch: 1, envelope: getEnvelope(walletId, 0) })],
    ['rubbish', () => ({ epoch: 0, envelope: randomBytes(200).toString('base64url') })],
    ['a device’s share', (walletId: string) => ({ epoch: 0, envelope: getEnvelope(walletId, 0, 100, ['C']) })],
    ['cut off', (walletId: string) => ({ epoch: 0, envelope: getEnvelope(walletId).slice(0, 40) })],
    ['no epoch', (walletId: string) => ({ epoch: -1, envelope: getEnvelope(walletId) })],
  ])('refuses an invalid backup: %s', async (_, make) => {
    const person = await arrive('rubbish-b@example.com')
    const walletId = `f${randomUUID().slice(1)}`
    const refused = await ask(person, walletId, { body: make(walletId) })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((await ask(person, walletId)).body).toEqual({ backups: [] })
  })

  it('refuses a backup that is too large, and a 21st backup of a wallet', async () => {
    const person = await arrive('many-b@example.com')
    const walletId = randomUUID()
    const large = await keep(person, walletId, 0, getEnvelope(walletId, 0, 17_000))
    expect(large).toMatchObject({ status: 413, body: { code: 'invalid_key_shares_length' } })
    for (let copy = 0; copy < 20; copy += 1) expect((await keep(person, walletId)).status).toBe(201)
    expect(await keep(person, walletId)).toMatchObject({ status: 422, body: { code: 'too_many_backups' } })
  })
})

it('limits how often a user may request backups', async () => {
  const strict = await startWorld({ environments: { local: { ...settings, frameOrigins: [FRAME] } }, limitFactor: 1 })
  const before = world
  try {
    world = strict
    const person = await arrive('limit-b@example.com')
    const walletId = randomUUID()
    const { id } = (await keep(person, walletId)).body
    const statuses = new Set<number>()
    for (let turn = 0; turn < 121; turn += 1) statuses.add((await ask(person, `${walletId}/${id}`)).status)
    expect([...statuses]).toEqual([200, 429])
  } finally {
    world = before
    await strict.stop()
  }
})

it('refuses to merge away a user with a backup, because the wallet could not be opened without it', async () => {
  const [stays, goes] = [await arrive('stays-b@example.com'), await arrive('goes-b@example.com')]
  const link = async () => {
    const path = '/users/me/credentials/email'
    const { verificationId } = (await stays.kit.call(path, { body: { email: 'goes-b@example.com' } })).body
    const code = world.getCode(await world.mailTo('goes-b@example.com'))
    return stays.kit.call(`${path}/verify`, { body: { verificationId, code } })
  }
  const { mergeId } = (await link()).body.details
  const walletId = randomUUID()
  const { id } = (await keep(goes, walletId)).body
  const late = await stays.kit.call('/users/me/merge', { body: { mergeId } })
  expect(late).toMatchObject({ status: 409, body: { code: 'merge_accounts_invalid', details: { reason: 'wallet' } } })
  expect((await link()).body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'wallet' } })
  expect((await ask(goes, `${walletId}/${id}`)).status).toBe(200)
})
