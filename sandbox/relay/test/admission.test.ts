/** Requests without authority: refused before their bytes are read as JSON, within limits of size and number. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app/routes.js'
import {
  ask,
  create,
  getHeaders,
  jws,
  only,
  READ,
  refusal,
  send,
  sha256,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { newKey, startWorld, type User } from './world.js'

const world = await startWorld()
const r1 = only(world.r1)
const base = `${world.r1.internalUrl}/sdk/local`
const ID = '11111111-1111-4111-8111-111111111111'
const JSON_BODY = { 'content-type': 'application/json' }
/** Not JSON, so a relay that parses it answers `invalid_request`. */
const BROKEN = '{'
let user: User
let wallet: Wallet
beforeAll(async () => {
  user = await world.user()
  wallet = await create(r1, user)
})
afterAll(() => world.stop())

const closed = routes.filter(({ access }) => access !== 'public')

function getPath(path: string): string {
  return path.replace(/\{\w+\}/g, ID)
}

describe('a body without authority', () => {
  it.each(closed)('$path refuses a request without an access token before it parses the body', async ({ path }) =>
    expect(await send(base + getPath(path), JSON_BODY, BROKEN)).toMatchObject(refusal(401, 'unauthorized')),
  )
  it.each(closed)('$path refuses a forged access token before it parses the body', async ({ path }) => {
    const [, payload = ''] = (user.kit.token ?? '').split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const headers = getHeaders(user, world.r1.clock.now(), BROKEN, { ...READ, device: wallet.device, walletId: ID })
    const authorization = `Bearer ${jws(newKey(), 'at+jwt', claims)}`
    const answer = await send(base + getPath(path), { ...headers, authorization }, BROKEN)
    expect(answer).toMatchObject(refusal(401, 'unauthorized'))
  })
  it('refuses a device signature over other bytes before it parses them', async () => {
    const { walletId, setId, device } = wallet
    const operation = { ...READ, device, walletId, setId }
    const answer = await ask(r1, user, `/wallets/${walletId}/sign`, {}, { ...operation, rawBody: BROKEN })
    expect(answer).toMatchObject(refusal(401, 'invalid_device_signature', { reason: 'body' }))
  })
  it('parses no body of an unknown route, of another method or of a preflight request', async () => {
    expect(await send(`${base}/nothing`, JSON_BODY, BROKEN)).toMatchObject(refusal(404, 'not_found'))
    const put = await fetch(`${base}/wallets/list`, { method: 'PUT', headers: JSON_BODY, body: BROKEN })
    expect(put.status).toBe(405)
    const preflight = await fetch(`${base}/wallets/list`, { method: 'OPTIONS', headers: JSON_BODY, body: BROKEN })
    expect(preflight.status).toBe(204)
  })
  it('R2 refuses bytes that R1 did not sign before it parses them', async () => {
    const peer = (signature: string) =>
      send(`${world.r2.internalUrl}/peer`, { ...JSON_BODY, 'x-keybay-peer': signature }, BROKEN)
    const claims = { aud: 'R2', bh: sha256(BROKEN), iat: Math.floor(world.r2.clock.now() / 1000) }
    expect(await peer('x.y.z')).toMatchObject(refusal(401, 'unauthorized'))
    expect(await peer(jws(newKey(), 'keybay-peer+jwt', claims))).toMatchObject(refusal(401, 'unauthorized'))
  })
})

describe('the size of a body', () => {
  it('refuses a body of more than 8 KiB where a request needs less', async () => {
    const answer = await ask(r1, user, '/wallets/list', { padding: 'x'.repeat(8 * 1024) }, READ)
    expect(answer).toMatchObject(refusal(413, 'payload_too_large'))
  })
  it('signs a message of 60 KiB, and refuses one of more than 64 KiB', async () => {
    expect((await sign(r1, wallet, text('m'.repeat(60 * 1024)))).status).toBe(200)
    expect(await sign(r1, wallet, text('m'.repeat(65 * 1024)))).toMatchObject(refusal(400, 'invalid_request'))
    expect(await sign(r1, wallet, text('m'.repeat(97 * 1024)))).toMatchObject(refusal(413, 'payload_too_large'))
  })
  it('gives a request without a user 8 KiB at most, also where a user may send more', async () => {
    const message = 'm'.repeat(9 * 1024)
    const body = JSON.stringify({ message })
    const { 'x-keybay-device': device = '' } = getHeaders(user, world.r1.clock.now(), body, {
      ...READ,
      device: wallet.device,
      walletId: wallet.walletId,
      setId: wallet.setId,
    })
    const answer = await send(`${base}/wallets/${ID}/sign`, { ...JSON_BODY, 'x-keybay-device': device }, body)
    expect(answer).toMatchObject(refusal(413, 'payload_too_large'))
  })
})

describe('requests without authority from one address', () => {
  it('limits the requests of one address that fail, and lets its known sessions and other addresses go on', async () => {
    const at = world.r1.clock.now()
    const strict = await world.startR1({ limitFactor: 1, trustedProxies: 1, clock: { now: () => at } })
    const from = (address: string) => ({ 'x-forwarded-for': `203.0.113.9, ${address}` })
    const known = async () =>
      (await ask(only(strict), user, '/wallets/list', {}, { ...READ, headers: from('198.51.100.1') })).status
    const unknown = async (address: string) =>
      (await send(`${strict.internalUrl}/sdk/local/wallets/list`, { ...JSON_BODY, ...from(address) }, BROKEN)).status
    for (let count = 0; count < 5; count++) expect(await known()).toBe(200)
    for (let count = 0; count < 300; count++) expect(await unknown('198.51.100.1')).toBe(401)
    expect(await unknown('198.51.100.1')).toBe(429)
    expect(await known()).toBe(200)
    expect(await unknown('198.51.100.2')).toBe(401)
    strict.clock.advance(1_000)
    expect(await unknown('198.51.100.1')).toBe(401)
    await strict.stop()
  })
})
