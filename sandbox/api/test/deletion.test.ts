/** Tests deleting a user: 30 days in which it can be undone, then all data is removed at once. */
import { randomUUID } from 'node:crypto'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, afterEach, expect, it } from 'vitest'
import { type Kit, refused, settings, startWorld } from './client.js'
import { newRecordSigner, report } from './wallet-records.js'

const DAY = 86_400_000
const r1 = newRecordSigner()
const environments = { local: { ...settings, embeddedWallets: { recordKeys: [r1.jwk] } } }
const world = await startWorld({ environments })
afterAll(world.stop)
afterEach(() => world.api.clock.reset())

function remove(kit: Kit) {
  return kit.call('/users/me', { method: 'DELETE' })
}
function restore(kit: Kit) {
  return kit.call('/users/me/restore', { method: 'POST' })
}
function recordFor(userId: string) {
  return r1.sign({ sub: userId, wallet: randomUUID(), set: randomUUID(), address: `address-${randomUUID()}` })
}

it('[S11.3] deleting a user ends every session at once and removes nothing for 30 days', async () => {
  const [here, there] = [await world.signedIn('del-ends@example.com'), await world.signedIn('del-ends@example.com')]
  const { id, createdAt } = (await here.call('/users/me')).body
  await report(world, recordFor(id))
  const now = world.api.clock.now()
  expect((await remove(here)).status).toBe(204)
  for (const kit of [here, there]) expect((await kit.call('/users/me')).status).toBe(401)
  const refreshed = await there.call('/auth/refresh', { body: { refreshToken: there.refresh }, token: '' })
  expect(refreshed.status).toBe(401)

  world.api.clock.advance(30 * DAY - 60_000)
  await world.api.sweep()
  const again = await world.kit().signInByEmail('del-ends@example.com')
  expect(again.body).toMatchObject({ isNewUser: false, user: { id, createdAt } })
  expect(again.body.user.credentials).toHaveLength(2)
  expect(again.body.user.deletesAt).toBeGreaterThanOrEqual(now + 30 * DAY)
  expect(again.body.user.deletesAt).toBeLessThan(now + 30 * DAY + 60_000)
})

it('a deletion can be undone, also twice, and then nothing is removed', async () => {
  const kit = await world.signedIn('del-undo@example.com')
  await remove(kit)
  const { body } = await kit.signInByEmail('del-undo@example.com')
  expect(await restore(kit)).toMatchObject({ status: 200, body: { id: body.user.id, deletesAt: null } })
  expect((await restore(kit)).body.deletesAt).toBeNull()
  world.api.clock.advance(31 * DAY)
  await world.api.sweep()
  expect((await world.kit().signInByEmail('del-undo@example.com')).body.user).toMatchObject({
    id: body.user.id,
    deletesAt: null,
  })
})

it('requesting a deletion twice keeps the first date', async () => {
  const kit = await world.signedIn('del-twice@example.com')
  await remove(kit)
  const first = (await kit.signInByEmail('del-twice@example.com')).body.user.deletesAt
  world.api.clock.advance(5 * DAY)
  await kit.signInByEmail('del-twice@example.com')
  expect((await remove(kit)).status).toBe(204)
  expect((await kit.call('/users/me')).status).toBe(401)
  expect((await kit.signInByEmail('del-twice@example.com')).body.user.deletesAt).toBe(first)
})

it('requesting a deletion twice at once ends the sessions and answers both requests', async () => {
  const kit = await world.signedIn('del-race@example.com')
  const answers = await Promise.all([remove(kit), remove(kit)])
  expect(answers.every(({ status }) => status === 204 || status === 401)).toBe(true)
  expect((await kit.signInByEmail('del-race@example.com')).body.user.deletesAt).toEqual(expect.any(Number))
})

it('[S11.3] removes a deleted user completely after 30 days, and frees the address for a new user', async () => {
  const kit = await world.signedIn('del-gone@example.com')
  const { id } = (await kit.call('/users/me')).body
  const record = recordFor(id)
  await report(world, record)
  await remove(kit)
  world.api.clock.advance(29 * DAY)
  await kit.signInByEmail('del-gone@example.com')
  world.api.clock.advance(DAY + 60_000)
  await Promise.all([world.api.sweep(), world.api.sweep()])
  expect((await kit.call('/users/me')).status).toBe(401)
  expect((await restore(kit)).status).toBe(401)
  const next = await world.kit().signInByEmail('del-gone@example.com')
  expect(next.body).toMatchObject({ isNewUser: true, user: { deletesAt: null } })
  expect(next.body.user.credentials).toHaveLength(1)
  expect((await report(world, record)).body.details).toEqual({ reason: 'user' })
})

it('a clock that was set back neither advances nor delays a deletion', async () => {
  const kit = await world.signedIn('del-clock@example.com')
  await remove(kit)
  world.api.clock.advance(-400 * DAY)
  await world.api.sweep()
  world.api.clock.reset()
  await world.api.sweep()
  expect((await world.kit().signInByEmail('del-clock@example.com')).body.isNewUser).toBe(false)
  world.api.clock.advance(30 * DAY + 60_000)
  await world.api.sweep()
  expect((await world.kit().signInByEmail('del-clock@example.com')).body.isNewUser).toBe(true)
})

it('refuses an embedded wallet while the account awaits deletion, and accepts the wallet after a restore', async () => {
  const kit = await world.signedIn('del-create@example.com')
  const { id } = (await kit.call('/users/me')).body
  const record = recordFor(id)
  await remove(kit)
  await refused(report(world, record), 409, 'account_deletion_pending')
  await kit.signInByEmail('del-create@example.com')
  await restore(kit)
  expect((await report(world, record)).status).toBe(204)
})

it('a wallet reported at the moment of a deletion is either listed or refused', async () => {
  for (let round = 0; round < 8; round++) {
    const email = `del-moment${round}@example.com`
    const kit = await world.signedIn(email)
    const { id } = (await kit.call('/users/me')).body
    const [reported, removed] = await Promise.all([report(world, recordFor(id)), remove(kit)])
    expect(removed.status).toBe(204)
    const { credentials } = (await kit.signInByEmail(email)).body.user
    expect(credentials).toHaveLength(reported.status === 204 ? 2 : 1)
  }
})

it('a deletion keeps its date over a restart, and the sweep of the next process removes the user', async () => {
  const dataDir = temporaryFolder()
  const first = await startWorld({ environments, dataDir })
  await remove(await first.signedIn('del-restart@example.com'))
  await first.stop()
  const second = await startWorld({ environments, dataDir })
  const signIn = async () => (await second.kit().signInByEmail('del-restart@example.com')).body
  expect((await signIn()).user.deletesAt).toEqual(expect.any(Number))
  second.api.clock.advance(30 * DAY + 60_000)
  await second.api.sweep()
  expect((await signIn()).isNewUser).toBe(true)
  await second.stop()
})
