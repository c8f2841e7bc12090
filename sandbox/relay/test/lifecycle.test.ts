/** A ceremony or a record ends, blocks or freezes only the wallet that it belongs to, and only what it may. */
import { afterAll, describe, expect, it } from 'vitest'
import {
  create,
  jws,
  only,
  type ReshareOptions,
  reshare,
  send,
  sha256,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const { keys, recordKey, kid } = newRelayKeys()
const world = await startWorld({ r1: { keys } })
const r1 = only(world.r1)
afterAll(() => world.stop())

/** Sends a record to R2 as R1 does. */
function tellR2(record: string) {
  const body = JSON.stringify({ environmentId: 'local', record })
  const claims = { aud: 'R2', bh: sha256(body), iat: Math.floor(world.r2.clock.now() / 1000) }
  const signature = jws(recordKey, 'keybay-peer+jwt', claims, { kid })
  const headers = { 'content-type': 'application/json', 'x-keybay-peer': signature }
  return send(`${world.r2.internalUrl}/peer/record`, headers, body)
}

async function commit(wallet: Wallet, options: ReshareOptions): Promise<Wallet> {
  const change = await reshare(r1, wallet, options)
  return change.after(wallet, await change.commit())
}

async function expectSigns(wallet: Wallet) {
  expect(await sign(r1, wallet, text('still mine'))).toMatchObject({ status: 200 })
}

describe('ceremonies of two users', () => {
  it('a user cannot end the resharing of another user by naming its set', async () => {
    const victim = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const mallory = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const refresh = await reshare(r1, victim)
    const attack = await reshare(r1, mallory, { purpose: 'addDevice', by: 'B1', newSetId: victim.setId })
    expect(attack.begun).toMatchObject({ status: 409, body: { code: 'wallet_exists' } })
    await expectSigns(refresh.after(victim, await refresh.commit()))
  })

  it('a user cannot end the joining of another user’s new device by naming its set', async () => {
    const victim = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const mallory = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const joining = await reshare(r1, victim, { purpose: 'addDevice', by: 'B1' })
    const attack = await reshare(r1, mallory, { purpose: 'addDevice', by: 'B1', newSetId: joining.next.setId })
    const joined = joining.after(victim, await joining.commit())
    await expectSigns(joined)
    expect(await attack.commit()).toMatchObject({ status: 409, body: { code: 'wallet_exists' } })
    await expectSigns(joined)
  })
})

describe('records of a wallet that R2 has left', () => {
  it('freeze nothing, and the wallet returns to R2', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const without = await commit(wallet, { purpose: 'reshare', scheme: 'TWO_OF_THREE' })
    const refreshed = await commit(without, {})
    expect(await tellR2(refreshed.record)).toMatchObject({ status: 200 })
    const again = await commit(refreshed, { purpose: 'reshare', scheme: 'THREE_OF_FIVE' })
    await expectSigns(again)
  })
})
