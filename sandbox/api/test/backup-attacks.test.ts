/** Plays attackers on hosted backups: scripts of the page, thieves of a session, replays, and a lost device. */
import { randomUUID } from 'node:crypto'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, describe, expect, it } from 'vitest'
import { createFrame, FRAME, getEnvelope, getStatement, registeredFrame } from './backup-frame.js'
import { type CallOptions, type Kit, nodeFetch, refused, settings, sha256, startWorld } from './client.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const environments = { local: { ...settings, frameOrigins: [FRAME] } }
const world = await startWorld({ environments })
afterAll(world.stop)

/** Moves the clock, and renews the session as a page does. */
async function wait(ms: number, ...kits: readonly Kit[]) {
  world.api.clock.advance(ms)
  for (const kit of kits) kit.keep(await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh }, token: '' }))
}

describe('a script of the page', () => {
  const attacks = (walletId: string, id: string): readonly (readonly [string, CallOptions])[] => [
    ['/frame-keys', { method: 'POST' }],
    [`/backups/${walletId}`, { body: { epoch: 1, envelope: getEnvelope(walletId, 1) } }],
    [`/backups/${walletId}`, {}],
    [`/backups/${walletId}/${id}`, {}],
    [`/backups/${walletId}/${id}`, { method: 'DELETE' }],
    [`/backups/${walletId}/${id}/restore`, { method: 'POST' }],
  ]
  it('reaches no backup with the token, a statement and the frame’s origin, with or without the session’s own key', async () => {
    const kit = await world.signedIn('script@example.com')
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId)).body
    for (const [path, options] of attacks(walletId, id)) {
      const headers = { origin: FRAME, 'x-keybay-session': getStatement(world, kit) }
      await refused(kit.call(path, { ...options, proof: false, headers }), 401, 'invalid_proof', { reason: 'missing' })
      const method = options.method ?? (options.body ? 'POST' : 'GET')
      const text = options.body ? JSON.stringify(options.body) : ''
      const dpop = kit.proofFor(method, `/api/v0/sdk/local${path}`, text, { ath: sha256(kit.token ?? '') })
      const proved = { ...options, proof: false, headers: { ...headers, dpop } } as const
      await refused(kit.call(path, proved), 401, 'invalid_proof', { reason: 'key' })
    }
    expect((await frame.list(walletId)).body).toMatchObject({ backups: [{ id, epoch: 0 }], erased: [] })
  })
  it('reaches no backup with a key of its own and a sign-in of 5 minutes ago, whatever the origin', async () => {
    const kit = await world.signedIn('own-key@example.com')
    const walletId = randomUUID()
    const { id } = (await (await registeredFrame(world, kit)).keep(walletId)).body
    await wait(5 * MINUTE + 1, kit)
    const script = createFrame(world, kit)
    for (const [path, options] of attacks(walletId, id))
      await refused(script.ask(path, Object(options)), 403, 'reauthentication_required', { maxAgeSeconds: 300 })
    await refused(
      script.ask('/frame-keys', { method: 'POST', origin: 'http://app.localhost:4000' }),
      403,
      'origin_not_allowed',
    )
  })
  it('erases no backup of a user with a second factor, even within 5 minutes of the sign-in', async () => {
    const kit = await world.signedIn('erases@example.com')
    const { deviceId } = await kit.enrolTotp()
    const walletId = randomUUID()
    const { id } = (await (await registeredFrame(world, kit)).keep(walletId)).body
    const script = await registeredFrame(world, kit)
    const demand = { action: 'wallet.waas.reshare', devices: [{ id: deviceId, method: 'totp' }] }
    await refused(script.erase(walletId, id), 403, 'mfa_required', demand)
    expect((await script.list(walletId)).body.backups).toHaveLength(1)
  })
})

describe('a replay', () => {
  it('of a request is refused', async () => {
    const kit = await world.signedIn('replay@example.com')
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId)).body
    const path = `/backups/${walletId}/${id}`
    for (const method of ['GET', 'DELETE']) {
      const options = { method, proof: false, headers: frame.headers(path, { method }) } as const
      expect((await kit.call(path, options)).status).toBeLessThan(300)
      await refused(kit.call(path, options), 401, 'invalid_proof', { reason: 'replay' })
    }
  })
  it('of a request and of a statement is refused after a restart', async () => {
    const dataDir = temporaryFolder()
    const first = await startWorld({ environments, dataDir })
    const kit = await first.signedIn('restart-b@example.com')
    const frame = await registeredFrame(first, kit)
    const path = `/backups/${randomUUID()}`
    const session = getStatement(first, kit)
    const options = { proof: false, headers: frame.headers(path, { session }) } as const
    const thief = await registeredFrame(first, kit)
    expect((await kit.call(path, options)).status).toBe(200)
    await first.stop()
    const second = await startWorld({ environments, dataDir, port: first.api.port })
    await refused(kit.call(path, options), 401, 'invalid_proof', { reason: 'replay' })
    await refused(thief.ask(path, { session }), 401, 'invalid_proof', { reason: 'replay' })
    expect((await frame.ask(path, { session })).status).toBe(200)
    await second.stop()
  })
  it('of a statement by another frame key is refused, and the frame that used it first goes on', async () => {
    const kit = await world.signedIn('statement@example.com')
    const walletId = randomUUID()
    const [frame, thief] = [await registeredFrame(world, kit), await registeredFrame(world, kit)]
    const session = getStatement(world, kit)
    const path = `/backups/${walletId}`
    const together = await Promise.all([1, 2, 3].map(() => frame.ask(path, { session })))
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200])
    await refused(thief.ask(path, { session }), 401, 'invalid_proof', { reason: 'replay' })
    expect((await frame.ask(path, { session })).status).toBe(200)
    await refused(frame.ask(path, { session: getStatement(world, kit, { jti: undefined }) }), 401, 'invalid_proof')
  })
  it('of a statement is refused until it expires, after the sweep too', async () => {
    const kit = await world.signedIn('swept@example.com')
    const walletId = randomUUID()
    const [frame, thief] = [await registeredFrame(world, kit), await registeredFrame(world, kit)]
    const session = getStatement(world, kit)
    await frame.ask(`/backups/${walletId}`, { session })
    await wait(14 * MINUTE, kit)
    await world.api.sweep()
    await refused(thief.ask(`/backups/${walletId}`, { session }), 401, 'invalid_proof', { reason: 'replay' })
    await wait(2 * MINUTE)
    await refused(frame.ask(`/backups/${walletId}`, { session }), 401, 'invalid_proof', { reason: 'time' })
  })
})

describe('an erased backup', () => {
  it('is listed as erased for 30 days, in which the user gets back the exact bytes', async () => {
    const kit = await world.signedIn('back@example.com')
    const walletId = randomUUID()
    const envelope = getEnvelope(walletId)
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId, 0, envelope)).body
    const before = world.api.clock.now()
    expect((await frame.erase(walletId, id)).status).toBe(204)
    await wait(30 * DAY - MINUTE)
    await world.api.sweep()
    const later = await world.signedIn('back@example.com')
    const newFrame = await registeredFrame(world, later)
    const { body } = await newFrame.list(walletId)
    expect(body).toMatchObject({ backups: [], erased: [{ id, epoch: 0, removedAt: expect.any(Number) }] })
    expect(body.erased[0].removedAt - before).toBeGreaterThanOrEqual(30 * DAY)
    expect((await newFrame.read(walletId, id)).body.envelope).toBe(envelope)
    expect(await newFrame.restore(walletId, id)).toMatchObject({ status: 200, body: { id } })
    await wait(2 * DAY)
    await world.api.sweep()
    const last = await world.signedIn('back@example.com')
    expect((await (await registeredFrame(world, last)).list(walletId)).body).toMatchObject({
      backups: [{ id }],
      erased: [],
    })
  })
  it('is removed by the sweep after 30 days', async () => {
    const kit = await world.signedIn('gone@example.com')
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId)).body
    await frame.erase(walletId, id)
    await wait(30 * DAY + 1)
    await world.api.sweep()
    const later = await world.signedIn('gone@example.com')
    const newFrame = await registeredFrame(world, later)
    expect((await newFrame.list(walletId)).body).toEqual({ backups: [], erased: [] })
    await refused(newFrame.restore(walletId, id), 404, 'backup_not_found')
    await refused(newFrame.read(walletId, id), 404, 'backup_not_found')
  })
  it('comes back with its next upload', async () => {
    const kit = await world.signedIn('again-b@example.com')
    const walletId = randomUUID()
    const envelope = getEnvelope(walletId)
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId, 0, envelope)).body
    await frame.erase(walletId, id)
    expect(await frame.keep(walletId, 0, envelope)).toMatchObject({ status: 201, body: { id } })
    expect((await frame.list(walletId)).body).toMatchObject({ backups: [{ id }], erased: [] })
  })
  it('cannot be erased, read or got back by another user', async () => {
    const [mara, eve] = [await world.signedIn('mara-e@example.com'), await world.signedIn('eve-e@example.com')]
    const walletId = randomUUID()
    const [hers, theirs] = [await registeredFrame(world, mara), await registeredFrame(world, eve)]
    const { id } = (await hers.keep(walletId)).body
    await hers.erase(walletId, id)
    await refused(theirs.restore(walletId, id), 404, 'backup_not_found')
    await refused(theirs.read(walletId, id), 404, 'backup_not_found')
    expect((await theirs.list(walletId)).body).toEqual({ backups: [], erased: [] })
  })
  it('a wallet has at most 100 of them, and the next backup stays', async () => {
    const kit = await world.signedIn('erased-100@example.com')
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const kept = async () => (await frame.keep(walletId)).body.id
    for (let copy = 0; copy < 100; copy += 1) expect((await frame.erase(walletId, await kept())).status).toBe(204)
    await refused(frame.erase(walletId, await kept()), 422, 'too_many_backups')
  })
})

/** A request waits only a second for its own notices; a sweep waits for all. */
async function getSubjects(address: string): Promise<readonly string[]> {
  await world.api.sweep()
  const response = await nodeFetch(`http://127.0.0.1:${world.inbox.port}/api/messages?to=${address}`)
  const { messages }: { readonly messages: readonly { readonly subject: string }[] } = await response.json()
  return messages.map(({ subject }) => subject)
}

async function getKinds(kit: Kit): Promise<readonly string[]> {
  const { events } = (await kit.call('/users/me/security-log')).body
  return events.map(({ kind }: { kind: string }) => kind)
}

it('tells the user once of each operation that reads another frame’s backup, and of each that erases backups', async () => {
  const kit = await world.signedIn('told@example.com')
  const walletId = randomUUID()
  const [first, second] = [await registeredFrame(world, kit), await registeredFrame(world, kit)]
  const ids = [(await first.keep(walletId, 0)).body.id, (await first.keep(walletId, 1)).body.id]
  for (const id of ids) expect((await first.read(walletId, id)).status).toBe(200)
  const session = getStatement(world, kit)
  for (const id of ids) await second.ask(`/backups/${walletId}/${id}`, { session })
  const erasing = { method: 'DELETE', session: getStatement(world, kit) }
  for (const id of ids) expect((await first.ask(`/backups/${walletId}/${id}`, erasing)).status).toBe(204)
  expect((await getKinds(kit)).filter(kind => kind.startsWith('backup'))).toEqual(['backup-removed', 'backup-read'])
  const subjects = await getSubjects('told@example.com')
  expect(subjects.filter(subject => subject.startsWith('Wallet backup')).sort()).toEqual([
    'Wallet backup erased – Acme',
    'Wallet backup opened – Acme',
  ])
})

describe('a frame key that a script registers within 5 minutes of a sign-in', () => {
  const NOTICE = 'New browser for wallet backups – Acme'
  it('is in the user’s log and in a mail, and the user’s own first one is in the log alone', async () => {
    const kit = await world.signedIn('new-key@example.com')
    await registeredFrame(world, kit)
    expect(await getKinds(kit)).toEqual(['frame-key-added', 'new-device'])
    expect(await getSubjects('new-key@example.com')).not.toContain(NOTICE)
    const script = await registeredFrame(world, kit)
    await script.register()
    await script.ask('/frame-keys/presence', { method: 'POST' })
    expect(await getKinds(kit)).toEqual(['frame-key-added', 'frame-key-added', 'new-device'])
    expect((await getSubjects('new-key@example.com')).filter(subject => subject === NOTICE)).toHaveLength(1)
  })
  it('is in a mail if it is the first one of an account that was there before', async () => {
    await world.signedIn('first-key@example.com')
    await wait(DAY)
    const kit = await world.signedIn('first-key@example.com')
    expect((await createFrame(world, kit).ask('/frame-keys/presence', { method: 'POST' })).status).toBe(204)
    expect(await getSubjects('first-key@example.com')).toContain(NOTICE)
  })
  it.each([
    ['signs out everywhere', '/auth/sign-out-everywhere', { method: 'POST' }],
    ['ends all other sessions', '/sessions', { method: 'DELETE' }],
  ])('ends when the user %s', async (_, path, options) => {
    const email = `end-keys-${options.method}@example.com`
    const kit = await world.signedIn(email)
    const script = await registeredFrame(world, kit)
    expect((await kit.call(path, options)).status).toBeLessThan(300)
    const next = await world.signedIn(email)
    const backups = `/backups/${randomUUID()}`
    const headers = script.headers(backups, { session: getStatement(world, next), token: next.token })
    await refused(next.call(backups, { proof: false, headers }), 403, 'reauthentication_required')
  })
})

it('the export of a user’s data names frame keys and backups, and gives the page no envelope', async () => {
  const kit = await world.signedIn('export-b@example.com')
  const walletId = randomUUID()
  const frame = await registeredFrame(world, kit)
  const envelope = getEnvelope(walletId)
  const { id } = (await frame.keep(walletId, 0, envelope)).body
  const { status, body } = await kit.call('/users/me/export', { method: 'POST' })
  expect(status).toBe(200)
  expect(body.api).toMatchObject({ backups: [{ id, walletId, epoch: 0 }], frameKeys: [{ factorAt: null }] })
  expect(JSON.stringify(body)).not.toContain(envelope)
})

describe('authority of a frame', () => {
  it('a new device restores with a sign-in of the last 5 minutes', async () => {
    const walletId = randomUUID()
    const first = await world.signedIn('lost@example.com')
    const { id } = (await (await registeredFrame(world, first)).keep(walletId)).body
    await wait(DAY)
    const second = await world.signedIn('lost@example.com')
    expect((await (await registeredFrame(world, second)).read(walletId, id)).status).toBe(200)
  })
  it('a new device with an older sign-in restores after a second factor in its frame, and erases with it for 15 minutes', async () => {
    const walletId = randomUUID()
    const kit = await world.signedIn('factor-b@example.com')
    const { deviceId, secret } = await kit.enrolTotp()
    const { id } = (await (await registeredFrame(world, kit)).keep(walletId)).body
    await wait(20 * MINUTE, kit)
    const device = createFrame(world, kit)
    await refused(device.register(), 403, 'reauthentication_required', { devices: [{ id: deviceId }] })
    await refused(device.enterFactor('000000', deviceId), 401, 'mfa_invalid_code')
    await refused(device.read(walletId, id), 403, 'reauthentication_required')
    expect((await device.enterFactor(world.nextTotp(secret), deviceId)).status).toBe(200)
    expect((await device.read(walletId, id)).status).toBe(200)
    // Only the frame in which the factor was entered may act with it.
    await refused(createFrame(world, kit).read(walletId, id), 403, 'reauthentication_required')
    await wait(15 * MINUTE + 1, kit)
    await refused(device.erase(walletId, id), 403, 'mfa_required')
    await refused(device.read(walletId, id), 403, 'reauthentication_required')
    expect((await device.enterFactor(world.nextTotp(secret), deviceId)).status).toBe(200)
    expect((await device.erase(walletId, id)).status).toBe(204)
  })
  it('a frame that is registered keeps, lists and reads back its own upload without another sign-in, for 15 minutes', async () => {
    const kit = await world.signedIn('ceremony-b@example.com')
    await kit.enrolTotp()
    const walletId = randomUUID()
    const [frame, other] = [await registeredFrame(world, kit), await registeredFrame(world, kit)]
    await wait(DAY, kit)
    const { id } = (await frame.keep(walletId)).body
    expect((await frame.list(walletId)).body.backups).toHaveLength(1)
    expect((await frame.read(walletId, id)).status).toBe(200)
    await refused(other.read(walletId, id), 403, 'reauthentication_required')
    await wait(15 * MINUTE + 1, kit)
    await refused(frame.read(walletId, id), 403, 'reauthentication_required')
  })
  it('a user without a second factor erases with a sign-in of the last 5 minutes only', async () => {
    const kit = await world.signedIn('no-factor@example.com')
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId)).body
    await wait(5 * MINUTE + 1, kit)
    await refused(frame.erase(walletId, id), 403, 'reauthentication_required', { maxAgeSeconds: 300, devices: [] })
    expect((await frame.list(walletId)).body.backups).toHaveLength(1)
  })
  it('an operation that began with a recent sign-in reads and erases until its statement expires, and no other does', async () => {
    const kit = await world.signedIn('operation@example.com')
    const walletId = randomUUID()
    const [frame, other] = [await registeredFrame(world, kit), await registeredFrame(world, kit)]
    const ids = [(await frame.keep(walletId, 0)).body.id, (await frame.keep(walletId, 1)).body.id]
    const [session, later] = [getStatement(world, kit), getStatement(world, kit)]
    const begin = { method: 'POST', session }
    expect((await other.ask('/frame-keys/presence', begin)).status).toBe(204)
    await wait(14 * MINUTE, kit)
    const path = (id: string) => `/backups/${walletId}/${id}`
    expect((await other.ask(path(ids[0]), { session })).status).toBe(200)
    expect((await other.ask(path(ids[0]), { session, method: 'DELETE' })).status).toBe(204)
    await refused(other.ask(path(ids[1]), { session: later }), 403, 'reauthentication_required')
    await refused(other.erase(walletId, ids[1]), 403, 'reauthentication_required')
    await refused(frame.ask(path(ids[1]), { session, method: 'DELETE' }), 401, 'invalid_proof', { reason: 'replay' })
    await refused(other.ask('/frame-keys/presence', { method: 'POST' }), 403, 'reauthentication_required')
    await wait(2 * MINUTE)
    await refused(other.ask(path(ids[1]), { session, method: 'DELETE' }), 401, 'invalid_proof', { reason: 'time' })
  })
  it('an operation that began with a recent sign-in erases nothing of a user with a second factor', async () => {
    const kit = await world.signedIn('operation-f@example.com')
    await kit.enrolTotp()
    const walletId = randomUUID()
    const frame = await registeredFrame(world, kit)
    const { id } = (await frame.keep(walletId)).body
    const session = getStatement(world, kit)
    expect((await frame.ask('/frame-keys/presence', { method: 'POST', session })).status).toBe(204)
    await refused(frame.ask(`/backups/${walletId}/${id}`, { session, method: 'DELETE' }), 403, 'mfa_required')
  })
  it('the key of one user’s frame has no authority for another user of the same browser', async () => {
    const [mara, noa] = [await world.signedIn('mara-k@example.com'), await world.signedIn('noa-k@example.com')]
    const frame = await registeredFrame(world, mara)
    await wait(6 * MINUTE, mara, noa)
    const path = `/backups/${randomUUID()}`
    const headers = frame.headers(path, { session: getStatement(world, noa), token: noa.token })
    await refused(noa.call(path, { proof: false, headers }), 403, 'reauthentication_required')
  })
  it('a user has at most 100 frame keys, and a new one replaces the oldest', async () => {
    const kit = await world.signedIn('many-keys@example.com')
    const walletId = randomUUID()
    const first = await registeredFrame(world, kit)
    world.api.clock.advance(1)
    const second = await registeredFrame(world, kit)
    world.api.clock.advance(1)
    for (let key = 2; key <= 100; key += 1) await registeredFrame(world, kit)
    await refused(first.list(walletId), 403, 'reauthentication_required')
    expect((await second.list(walletId)).status).toBe(200)
  })
})
