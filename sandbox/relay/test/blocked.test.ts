/** A user whom the operator blocks signs nothing, and neither does the user’s delegate. Only the API can say so. */
import { randomUUID } from 'node:crypto'
import { signJws } from '@keybay/sandbox-api/testing/client'
import { afterAll, expect, it } from 'vitest'
import { askAlone, create, delegateTo, newDelegate, only, sign, text, type Wallet } from './frame/index.js'
import { newKey, startWorld } from './world.js'

const CODE = 'blocked_user_cannot_transfer_wallet'
const server = newDelegate()
const otherApi = newKey()
const world = await startWorld({ environment: { delegates: [server.listed] } })
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
  expect(await byDelegate()).toMatchObject({ status: 403, body: { code: CODE } })
  expect((await bySelf()).body.code).toMatch(/^(session_expired|blocked_user_cannot_transfer_wallet)$/)
  expect((await operate('unblock', wallet)).body).toMatchObject({ blockedAt: null, pending: [] })
  expect((await byDelegate()).status).toBe(200)
})

it('a relay takes no message that the API did not sign for it, once and just now', async () => {
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const now = Math.floor(world.api.api.clock.now() / 1000)
  const claims = { aud: 'relay local', op: 'block', sub: wallet.user.userId, jti: randomUUID(), iat: now }
  const { keys: published } = await (await fetch(`${world.api.api.internalUrl}/sdk/local/.well-known/jwks.json`)).json()
  const header = { typ: 'keybay-operator+jwt', kid: published[0].kid }
  for (const relay of [world.r1, world.r2]) {
    expect((await send(relay.internalUrl, signJws(header, claims, otherApi))).status).toBe(401)
    expect((await send(relay.internalUrl, wallet.user.kit.token ?? '')).status).toBe(401)
    expect((await send(relay.internalUrl, 'x.y.z', { origin: 'http://app.localhost:4000' })).status).toBe(403)
  }
  expect((await sign(r1, wallet, text('still mine'))).status).toBe(200)
})
