/** A user whom the operator blocks signs nothing, and neither does the user’s delegate. Only the API can say so. */
import { randomUUID } from 'node:crypto'
import { signJws } from '@keybay/sandbox-api/testing/client'
import { createServiceKeys, getSigningKeys } from '@keybay/sandbox-api/testing/service-keys'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { startRelay } from '../src/index.js'
import { askAlone, create, delegateTo, newDelegate, only, sign, text, type Wallet } from './frame/index.js'
import { newKey, startWorld } from './world.js'

const MINUTE = 60_000
const CODE = 'blocked_user_cannot_transfer_wallet'
const server = newDelegate()
const apiKeys = createServiceKeys()
const world = await startWorld({ api: { keys: JSON.stringify(apiKeys) }, environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
afterAll(world.stop)

function operate(action: 'block' | 'unblock', { user }: Wallet) {
  const options = { method: 'POST', token: world.api.api.operatorToken, proof: false } as const
  return world.api.kit().call(`/users/${user.userId}/${action}`, options)
}
function send(url: string, message: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/sdk/local/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ message }),
  })
}

it('a block stops the user and the user’s delegate at both relays at once, and unblocking lets both sign again', async () => {
  const user = await world.user('blocked@example.com')
  const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
  const { accept } = await delegateTo(r1, wallet, server, { policy: { programs: [], messages: true } })
  const { own } = await accept()
  const bySelf = () => sign(r1, wallet, text('mine'))
  const byDelegate = () => sign(r1, own, text('for the user'), { by: askAlone })
  expect([(await bySelf()).status, (await byDelegate()).status]).toEqual([200, 200])
  expect((await operate('block', wallet)).body).toMatchObject({ pending: [] })
  const block = world.api.logs.findLast(({ route }) => route === '/users/{id}/block')
  const told = world.logs.filter(({ parentRequestId }) => parentRequestId === block?.requestId)
  expect(told.map(({ route }) => route)).toEqual(['/operator', '/operator'])
  expect(await byDelegate()).toMatchObject({ status: 403, body: { code: CODE } })
  expect((await bySelf()).body.code).toMatch(/^(session_expired|blocked_user_cannot_transfer_wallet)$/)
  expect((await operate('unblock', wallet)).body).toMatchObject({ blockedAt: null, pending: [] })
  expect((await byDelegate()).status).toBe(200)
})

it('a relay takes no message that the API did not sign for it, once and just now', async () => {
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const now = Math.floor(world.api.api.clock.now() / 1000)
  const claims = { aud: 'relay local', op: 'block', sub: wallet.user.userId, jti: randomUUID(), iat: now }
  const { signOperatorMessage, signAccessToken, jwks } = getSigningKeys(apiKeys, 'local')
  const header = { typ: 'keybay-operator+jwt', kid: jwks.keys[0]?.kid }
  const { url, other } = { url: world.r1.internalUrl, other: world.r2.internalUrl }
  const status = async (message: string, headers = {}) => (await send(url, message, headers)).status
  const lies = [{ aud: 'relay live' }, { iat: now - 120 }, { iat: now + 120 }, { op: 'destroy' }]
  for (const lie of lies) expect([lie, await status(signOperatorMessage({ ...claims, ...lie }))]).toEqual([lie, 401])
  expect(await status(signAccessToken(claims))).toBe(401)
  expect(await status(getSigningKeys(apiKeys, 'live').signOperatorMessage(claims))).toBe(401)
  expect(await status(signJws(header, claims, newKey()))).toBe(401)
  expect(await status(wallet.user.kit.token ?? '')).toBe(401)
  expect(await status(signOperatorMessage(claims), { origin: 'http://app.localhost:4000' })).toBe(403)
  expect((await sign(r1, wallet, text('still mine'))).status).toBe(200)
  const unblock = signOperatorMessage({ ...claims, op: 'unblock' })
  expect(await status(unblock)).toBe(200)
  expect(await status(unblock)).toBe(401)
  expect((await send(other, unblock)).status).toBe(200)
})

it('a relay that is away at a block is named, and takes the block from the next sweep', async () => {
  const dataDir = temporaryFolder()
  const late = await startWorld({ r1: { dataDir }, environment: { delegates: [server.listed] } })
  const target = only(late.r1)
  const wallet = await create(target, await late.user(), { scheme: 'TWO_OF_THREE' })
  const { accept } = await delegateTo(target, wallet, server, { policy: { programs: [], messages: true } })
  const { own } = await accept()
  await late.r1.stop()
  const options = { method: 'POST', token: late.api.api.operatorToken, proof: false } as const
  const { body } = await late.api.kit().call(`/users/${wallet.user.userId}/block`, options)
  expect(body.pending).toEqual([late.r1.internalUrl])
  const { port } = late.r1
  const back = await startRelay({
    mode: 'sandbox',
    port,
    dataDir,
    environments: late.environments,
    peerUrl: late.r2.internalUrl,
  })
  late.api.api.clock.advance(MINUTE + 1)
  back.clock.advance(MINUTE + 1)
  late.r2.clock.advance(MINUTE + 1)
  await back.sweep()
  await late.api.api.sweep()
  expect(await sign(only(back), own, text('for the user'), { by: askAlone })).toMatchObject({ body: { code: CODE } })
  await back.stop()
  await late.r2.stop()
  await late.api.stop()
})
