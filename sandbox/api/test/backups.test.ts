/** Tests hosted backups: access to store, read and erase them, and invalid backups. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { FRAME, type FrameRequest, getEnvelope, getStatement, registeredFrame, type TestFrame } from './backup-frame.js'
import { APP, createKit, type Kit, refused, settings, startWorld } from './client.js'

const environments = { local: { ...settings, frameOrigins: [FRAME] } }
const world = await startWorld({ environments })
afterAll(world.stop)

function state(kit: Kit, claims: object = {}, typ?: string): string {
  return getStatement(world, kit, claims, typ)
}
const frames = new Map<Kit, Promise<TestFrame>>()
function getFrame(kit: Kit): Promise<TestFrame> {
  const frame = frames.get(kit) ?? registeredFrame(world, kit)
  frames.set(kit, frame)
  return frame
}

async function ask(kit: Kit, path: string, request: FrameRequest = {}) {
  return (await getFrame(kit)).ask(`/backups/${path}`, request)
}

function keep(kit: Kit, walletId: string, epoch = 0, envelope = getEnvelope(walletId, epoch)) {
  return ask(kit, walletId, { body: { epoch, envelope } })
}

it('stores backup envelopes, lists the newest first, returns the exact bytes, and erases them', async () => {
  const kit = await world.signedIn('keeps@example.com')
  const walletId = randomUUID()
  const [first, second] = [getEnvelope(walletId, 0), getEnvelope(walletId, 1)]
  const old = await keep(kit, walletId, 0, first)
  expect(old).toMatchObject({ status: 201, body: { epoch: 0, size: Buffer.from(first, 'base64url').length } })
  expect(old.headers.get('access-control-allow-origin')).toBe(FRAME)
  const made = await keep(kit, walletId, 1, second)
  const { body } = await ask(kit, walletId)
  expect(body.backups.map(({ id }: { id: string }) => id)).toEqual([made.body.id, old.body.id])
  expect((await ask(kit, `${walletId}/${made.body.id}`)).body.envelope).toBe(second)
  expect((await ask(kit, `${walletId}/${old.body.id}`, { method: 'DELETE' })).status).toBe(204)
  await refused(ask(kit, `${walletId}/${old.body.id}`, { method: 'DELETE' }), 404, 'backup_not_found')
  await refused(keep(kit, walletId, 1, second), 409, 'key_share_already_backed_up')
  expect((await ask(kit, walletId)).body.backups).toHaveLength(1)
})

describe('access to backups', () => {
  it('does not list, return or erase backups of another user', async () => {
    const [mara, eve] = [await world.signedIn('mara-b@example.com'), await world.signedIn('eve-b@example.com')]
    const walletId = randomUUID()
    const { id } = (await keep(mara, walletId)).body
    expect((await ask(eve, walletId)).body).toEqual({ backups: [], erased: [] })
    expect((await ask(eve, `${walletId}/${id}`)).status).toBe(404)
    expect((await ask(eve, `${walletId}/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await ask(mara, `${walletId}/${id}`)).status).toBe(200)
    expect((await ask(mara, `${walletId}/${id}`, { session: state(eve) })).status).toBe(401)
  })
  it('a stolen token cannot reach backups without the frame’s origin and a valid, recent statement', async () => {
    const kit = await world.signedIn('stolen-b@example.com')
    const walletId = randomUUID()
    await keep(kit, walletId)
    const thief = createKit(world, world.api)
    thief.token = kit.token
    for (const session of [
      '',
      state(thief),
      state(kit, { iat: Math.floor(world.api.clock.now() / 1000) - 3600 }),
      state(kit, { origin: 'https://evil.example' }),
      state(kit, { op: 'signMessage' }),
      state(kit, { sid: randomUUID() }),
      state(kit, {}, 'dpop+jwt'),
    ])
      await refused(ask(kit, walletId, { session }), 401, 'invalid_proof')
    await refused(ask(kit, walletId, { origin: APP }), 403, 'origin_not_allowed')
  })
  it('a statement that allows reading backups does not allow writing them', async () => {
    const kit = await world.signedIn('reads-b@example.com')
    const walletId = randomUUID()
    const { id } = (await keep(kit, walletId)).body
    const session = state(kit, { op: 'addDevice' })
    expect((await ask(kit, `${walletId}/${id}`, { session })).status).toBe(200)
    expect((await ask(kit, `${walletId}/${id}`, { session, method: 'DELETE' })).status).toBe(401)
    const body = { epoch: 1, envelope: getEnvelope(walletId, 1) }
    expect((await ask(kit, walletId, { session, body })).status).toBe(401)
  })
  it('access to backups ends when the user is deleted', async () => {
    const kit = await world.signedIn('ends-b@example.com')
    await keep(kit, randomUUID())
    expect((await kit.call('/users/me', { method: 'DELETE' })).status).toBe(204)
    expect((await ask(kit, randomUUID())).status).toBe(401)
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
    const kit = await world.signedIn('rubbish-b@example.com')
    const walletId = `f${randomUUID().slice(1)}`
    await refused(ask(kit, walletId, { body: make(walletId) }), 400, 'invalid_request')
    expect((await ask(kit, walletId)).body).toEqual({ backups: [], erased: [] })
  })
  it('refuses a backup that is too large, and a 21st backup of a wallet', async () => {
    const kit = await world.signedIn('many-b@example.com')
    const walletId = randomUUID()
    const large = getEnvelope(walletId, 0, 17_000)
    await refused(keep(kit, walletId, 0, large), 413, 'invalid_key_shares_length')
    for (let copy = 0; copy < 20; copy += 1) expect((await keep(kit, walletId)).status).toBe(201)
    await refused(keep(kit, walletId), 422, 'too_many_backups')
  })
})

it('limits how often a user may request backups', async () => {
  const strict = await startWorld({ environments, limitFactor: 1 })
  const kit = await strict.signedIn('limit-b@example.com')
  const frame = await registeredFrame(strict, kit)
  const walletId = randomUUID()
  const { id } = (await frame.keep(walletId)).body
  const statuses = new Set<number>()
  for (let turn = 0; turn < 121; turn += 1) statuses.add((await frame.read(walletId, id)).status)
  expect([...statuses]).toEqual([200, 429])
  await strict.stop()
})

it('refuses to merge away a user with a backup, because the wallet could not be opened without it', async () => {
  const [stays, goes] = [await world.signedIn('stays-b@example.com'), await world.signedIn('goes-b@example.com')]
  const { mergeId } = (await stays.link('goes-b@example.com')).body.details
  const walletId = randomUUID()
  const { id } = (await keep(goes, walletId)).body
  const wallet = [409, 'merge_accounts_invalid', { reason: 'wallet' }] as const
  await refused(stays.call('/users/me/merge', { body: { mergeId } }), ...wallet)
  await refused(stays.link('goes-b@example.com'), ...wallet)
  expect((await ask(goes, `${walletId}/${id}`)).status).toBe(200)
})
