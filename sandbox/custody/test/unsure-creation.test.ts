/** Creations of a custody wallet whose outcome the product API does not know, or learns too late: one wallet is kept. */
import { EventEmitter, once } from 'node:events'
import { type Kit, settings } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { type Answer, type Fate, startDoor } from './door.js'
import { attest, RP_ID, startProductApi, startWorld } from './world.js'

/** Longer than a claim lasts, in ms. */
const AFTER_CLAIM = 61_000

const custody = await startWorld()
let fate: Fate
const door = await startDoor(custody.custody.internalUrl, pass => fate(pass))
const api = await startProductApi(
  { custody: { internalUrl: door.url }, operatorKey: custody.operatorKey },
  { local: { ...settings, custody: { enabled: true } } },
)
afterAll(async () => {
  await api.stop()
  door.stop()
  await custody.stop()
})
beforeEach(() => {
  fate = pass => pass()
  custody.custody.clock.reset()
  api.api.clock.reset()
})

let users = 0
async function signedIn(): Promise<Kit> {
  const kit = api.kit()
  await kit.signInByEmail(`unsure-${users++}@example.com`)
  return kit
}

function create(kit: Kit, authenticator = newAuthenticator(RP_ID)) {
  const { challenge, attestation } = attest(authenticator)
  return kit.call('/custody', { body: { challenge, attestation } })
}

function read(kit: Kit) {
  return kit.call('/custody', { method: 'GET' })
}

/** Returns the organizations of users at custody. */
async function organizations(): Promise<readonly string[]> {
  const { organizationId } = custody.operatorKey
  return (await custody.operator.getSubOrgIds({ organizationId })).organizationIds
}

/** Requests a creation, of which custody hears nothing before it is released. */
async function createLate(kit: Kit, end: Fate, authenticator = newAuthenticator(RP_ID)) {
  const steps = new EventEmitter()
  const [arrived, released] = [once(steps, 'arrived'), once(steps, 'released')]
  fate = async pass => {
    steps.emit('arrived')
    await released
    return end(pass)
  }
  const late = create(kit, authenticator)
  await arrived
  fate = pass => pass()
  return { late, release: () => steps.emit('released') }
}

/** Changes the activity of an answer. */
function activity({ body }: Answer, change: object): Answer {
  const answer = JSON.parse(body)
  return { status: 200, body: JSON.stringify({ ...answer, activity: { ...answer.activity, ...change } }) }
}

it.each<[string, (answer: Answer) => Answer | undefined]>([
  ['no answer', () => undefined],
  ['UNAVAILABLE', () => ({ status: 503, body: JSON.stringify({ code: 14, message: 'unavailable', details: [] }) })],
  ['INTERNAL', () => ({ status: 500, body: JSON.stringify({ code: 13, message: 'internal error', details: [] }) })],
  ['the page of a gateway', () => ({ status: 504, body: '<h1>Gateway Time-out</h1>' })],
  ['JSON of a gateway', () => ({ status: 504, body: JSON.stringify({ message: 'The upstream timed out' }) })],
  ['an activity that needs consensus', answer => activity(answer, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' })],
  ['an activity without a result', answer => activity(answer, { result: {} })],
])('[S3.3] custody creates a wallet, but %s comes back: the next try creates no second wallet', async (_, garble) => {
  const kit = await signedIn()
  const before = await organizations()
  fate = async pass => garble(await pass())
  expect(await create(kit)).toMatchObject({ status: 503, body: { code: 'custody_unavailable' } })
  fate = pass => pass()
  expect(await create(kit)).toMatchObject({ status: 409, body: { code: 'custody_wallet_exists' } })
  const made = (await organizations()).filter(id => !before.includes(id))
  expect(made).toEqual([(await read(kit)).body.organizationId])
})

it('[S3.3] a creation that failed at custody is given up at once: the next try creates the wallet', async () => {
  const kit = await signedIn()
  const failed = { id: 'failed', organizationId: custody.operatorKey.organizationId, status: 'ACTIVITY_STATUS_FAILED' }
  fate = async () => ({ status: 200, body: JSON.stringify({ activity: failed }) })
  expect(await create(kit)).toMatchObject({ status: 503, body: { code: 'custody_unavailable' } })
  fate = pass => pass()
  expect((await create(kit)).status).toBe(201)
})

it.each<[string, Fate, object]>([
  ['fails', async () => ({ status: 400, body: JSON.stringify({ code: 3, details: [] }) }), { status: 503 }],
  ['succeeds', pass => pass(), { status: 409, body: { code: 'custody_wallet_exists' } }],
])('[S3.3] a creation that %s after its claim expired leaves the wallet of the next one', async (_, end, refusal) => {
  const kit = await signedIn()
  const { late, release } = await createLate(kit, end)
  for (const { clock } of [api.api, custody.custody]) clock.advance(AFTER_CLAIM)
  const made = await create(kit)
  expect(made.status).toBe(201)
  release()
  expect(await late).toMatchObject(refusal)
  expect((await read(kit)).body).toEqual(made.body)
})

it('a block during a creation also stops the wallet that custody creates afterwards', async () => {
  const kit = await signedIn()
  const userId = (await kit.call('/users/me')).body.id
  const authenticator = newAuthenticator(RP_ID)
  const before = await organizations()
  const { late, release } = await createLate(kit, pass => pass(), authenticator)
  const options = { method: 'POST', token: api.api.operatorToken, proof: false } as const
  const block = await api.kit().call(`/users/${userId}/block`, options)
  expect(block.body).toMatchObject({ blockedAt: expect.any(Number), pending: ['custody'] })
  release()
  await late
  for (const { clock } of [api.api, custody.custody]) clock.advance(AFTER_CLAIM)
  await api.api.sweep()
  const [organizationId = ''] = (await organizations()).filter(id => !before.includes(id))
  await expect(custody.clientBy(authenticator).getWallets({ organizationId })).rejects.toMatchObject({
    details: [expect.objectContaining({ turnkeyErrorCode: 'ORGANIZATION_BLOCKED' })],
  })
})
