/** The user is asked about each signature, unless a grant of the wallet's own window covers the transfer. */

import bs58 from 'bs58'
import { afterAll, describe, expect, it } from 'vitest'
import { transfer } from '../src/bench/wallet.js'
import {
  changeSet,
  create,
  delegateTo,
  grantBeside,
  grantOf,
  newDelegate,
  ok,
  only,
  refusal,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { APP, startWorld } from './world.js'

const SHOP = 'http://shop.app.localhost:4000'
const server = newDelegate()
const world = await startWorld({ environment: { delegates: [server.listed], hostOrigins: [APP, SHOP] } })
const r1 = only(world.r1)
afterAll(() => world.stop())

const LIMIT = 1_000_000n
const agreed = { kind: 'transaction' } as const
const unasked = { kind: 'transaction', consent: false } as const

function pay({ address }: Wallet, lamports = 1_000n) {
  return transfer(bs58.decode(address), lamports)
}

describe.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)('a wallet of %s', scheme => {
  it('asks about the smallest transfer and every message', async () => {
    const wallet = await create(r1, await world.user(), { scheme })
    const asks = refusal(403, 'consent_required', { rule: 'consent' })
    expect(await sign(r1, wallet, pay(wallet, 0n), unasked)).toMatchObject(asks)
    expect(await sign(r1, wallet, text('hello'), { consent: false })).toMatchObject(asks)
    expect((await sign(r1, wallet, pay(wallet), agreed)).status).toBe(200)
    expect((await sign(r1, wallet, text('hello'))).status).toBe(200)
  })

  it('signs transfers unasked after a grant beside a transaction, asks about the rest, and asks again after its end', async () => {
    const wallet = await create(r1, await world.user(), { scheme })
    const policy = grantOf(LIMIT)
    const { wallet: view } = ok(await grantBeside(r1, wallet, pay(wallet), policy))
    expect(view.sets[0].policy).toEqual(policy)
    expect((await sign(r1, wallet, pay(wallet), unasked)).status).toBe(200)
    expect(await sign(r1, wallet, pay(wallet, LIMIT), unasked)).toMatchObject(
      refusal(403, 'consent_required', { rule: 'daily-limit' }),
    )
    expect(await sign(r1, wallet, text('hello'), { consent: false })).toMatchObject(
      refusal(403, 'consent_required', { rule: 'consent' }),
    )
    expect(await sign(r1, wallet, pay(wallet), { ...unasked, session: { origin: SHOP } })).toMatchObject(
      refusal(403, 'consent_required', { rule: 'origin' }),
    )
    expect((await sign(r1, wallet, pay(wallet, 5_000_000_000n), agreed)).status).toBe(200)
    expect((await sign(r1, wallet, text('hello'))).status).toBe(200)
    expect((await changeSet(r1, wallet, wallet.setId, 'policy', { policy: null })).status).toBe(200)
    expect(await sign(r1, wallet, pay(wallet), unasked)).toMatchObject(refusal(403, 'consent_required'))
  })
})

describe('a page', () => {
  it('sets no policy without the user, and ends a grant alone', async () => {
    const wallet = await create(r1, await world.user())
    const set = (policy: object | null, consent = false) =>
      changeSet(r1, wallet, wallet.setId, 'policy', { policy }, consent)
    const refused = refusal(403, 'consent_required', { rule: 'policy' })
    const closed = { programs: [], messages: false }
    for (const policy of [grantOf(1n), closed]) expect(await set(policy)).toMatchObject(refused)
    ok(await set(grantOf(LIMIT), true))
    for (const policy of [grantOf(1n), grantOf(LIMIT * 2n), closed]) expect(await set(policy)).toMatchObject(refused)
    ok(await set(null))
    ok(await set(closed, true))
    expect(await set(null)).toMatchObject(refused)
    expect(await set({ ...closed, dailyLimit: '0' })).toMatchObject(refused)
  })

  it('gets no grant by its signature for a message, for another transaction or without the user', async () => {
    const wallet = await create(r1, await world.user())
    const beside = (policy: object, more: object) => grantBeside(r1, wallet, pay(wallet), policy, more)
    expect(await beside(grantOf(LIMIT), { consent: false })).toMatchObject(refusal(403, 'consent_required'))
    expect(await beside(grantOf(LIMIT), { op: 'signMessage' })).toMatchObject(refusal(401, 'invalid_session_signature'))
    expect(await beside({ programs: [], messages: true }, {})).toMatchObject(refusal(401, 'invalid_session_signature'))
    expect(await beside(grantOf(LIMIT), { claims: { hash: 'another' } })).toMatchObject(
      refusal(401, 'invalid_device_signature'),
    )
    expect(await beside({ ...grantOf(LIMIT), messages: true }, {})).toMatchObject(refusal(400, 'invalid_request'))
  })

  it('gives no delegate a grant, because there is no user to ask', async () => {
    const wallet = await create(r1, await world.user())
    const policy = grantOf(LIMIT)
    expect((await delegateTo(r1, wallet, server, { policy })).begun).toMatchObject(refusal(400, 'invalid_request'))
    const { own } = await (await delegateTo(r1, wallet, server, { policy: { programs: [], messages: true } })).accept()
    expect(await changeSet(r1, wallet, own.setId, 'policy', { policy }, true)).toMatchObject(
      refusal(400, 'invalid_request'),
    )
  })
})
