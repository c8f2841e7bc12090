/** A wallet with a long past stays readable, and so do the other wallets of its user. */
import { randomBytes, randomUUID } from 'node:crypto'
import { joinsSchema, listSchema } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  asDevice,
  ask,
  b64,
  changeSet,
  create,
  list,
  ok,
  only,
  refusal,
  reshare,
  sign,
  text,
  toJwk,
  type Wallet,
} from './frame/index.js'
import { getSharedWorld, newKey, type User } from './world.js'

const world = await getSharedWorld()
const r1 = only(world.r1)

function addDevice(wallet: Wallet) {
  return reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
}
async function addAndRevoke(wallet: Wallet): Promise<void> {
  const added = await addDevice(wallet)
  ok(await added.commit())
  ok(await changeSet(r1, wallet, added.next.setId, 'revoke', {}, true))
}
/** Reads the user's wallets as a frame does. */
async function readWallets(user: User) {
  return v.parse(listSchema, { wallets: await list(r1, user) }).wallets
}

it('a wallet of 101 sets is listed with its active sets and the newest revoked ones', async () => {
  const user = await world.user()
  const other = await create(r1, user)
  const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
  const tablet = await addDevice(wallet)
  const device = tablet.after(wallet, await tablet.commit())
  for (let count = 2; count < 101; count++) await addAndRevoke(wallet)
  const wallets = await readWallets(user)
  expect(wallets.map(({ walletId }) => walletId)).toEqual([other.walletId, wallet.walletId])
  const active = wallets[1]?.sets.filter(({ status }) => status === 'active')
  expect(active?.map(({ setId }) => setId)).toEqual([wallet.setId, device.setId])
  expect(wallets[1]?.sets).toHaveLength(2 + 32)
  expect(await sign(r1, wallet, text('still here'))).toMatchObject({ status: 200 })
}, 240_000)

it('a wallet has at most 50 active sets, and gets another after one is revoked', async () => {
  const user = await world.user()
  const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
  const waiting = await addDevice(wallet)
  for (let count = 1; count < 50; count++) ok(await (await addDevice(wallet)).commit())
  expect((await addDevice(wallet)).begun).toMatchObject(refusal(409, 'too_many_sets'))
  expect(await waiting.commit()).toMatchObject(refusal(409, 'too_many_sets'))
  const [{ sets }] = await list(r1, user)
  expect(sets).toHaveLength(50)
  ok(await changeSet(r1, wallet, sets[49].setId, 'revoke', {}, true))
  ok(await waiting.commit())
}, 240_000)

it('the newest join of 9 is listed, and a frame can read the list', async () => {
  const wallet = await create(r1, await world.user())
  const path = `/wallets/${wallet.walletId}/joins`
  const opened: string[] = []
  for (let count = 0; count < 9; count++) {
    const [device, joinId, setId] = [newKey(), randomUUID(), randomUUID()]
    const sealingKey = b64(randomBytes(32))
    const body = { joinId, setId, kind: 'device', deviceKey: toJwk(device), sealingKey, name: `Tablet ${count}` }
    ok(await ask(r1, wallet.user, `${path}/open`, body, asDevice(wallet, 'addDevice', { device, setId, epoch: 0 })))
    opened.push(joinId)
    world.advance(1_000)
  }
  const answer = ok(await ask(r1, wallet.user, `${path}/list`, {}, asDevice(wallet, 'addDevice')))
  const { joins } = v.parse(joinsSchema, answer)
  expect(joins.map(({ joinId }) => joinId)).toEqual(opened.toReversed().slice(0, 8))
})

it('a frame that cannot read one wallet still reads the others', async () => {
  const user = await world.user()
  const wallet = await create(r1, user)
  const [readable] = await list(r1, user)
  const { wallets } = v.parse(listSchema, { wallets: [{ ...readable, sets: [] }, readable] })
  expect(wallets.map(({ walletId }) => walletId)).toEqual([wallet.walletId])
})
