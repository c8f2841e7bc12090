/** Every ceremony over the public interface, with the relays' real databases: the new shares sign for the address. */

import { settings } from '@keybay/sandbox-api/testing/client'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { afterAll, describe, expect, it } from 'vitest'
import { create, importKey, list, newSeed, ok, only, reshare, sign, text, type Wallet } from './frame/index.js'
import { startWorld } from './world.js'

/** Maximum number of wallets per user in this test. */
const MAX = 2
const world = await startWorld({
  api: { environments: { local: { ...settings, embeddedWallets: { enabled: true, mostPerUser: MAX } } } },
})
const r1 = only(world.r1)
afterAll(() => world.stop())

async function expectSigns(wallet: Wallet, words = 'hello') {
  const { status, body, signature } = await sign(r1, wallet, text(words))
  expect({ status, body }).toMatchObject({ status: 200 })
  expect(ed25519.verify(signature ?? new Uint8Array(64), text(words), bs58.decode(wallet.address))).toBe(true)
}

describe.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)('[S7.4] %s', scheme => {
  it.each([false, true])('a new wallet (exportable: %s) is listed and signs', async exportable => {
    const user = await world.user()
    const wallet = await create(r1, user, { scheme, exportable })
    await expectSigns(wallet)
    expect(await list(r1, user)).toMatchObject([
      {
        walletId: wallet.walletId,
        address: wallet.address,
        scheme,
        exportable,
        origin: exportable ? 'seed' : 'dkg',
        sets: [{ setId: wallet.setId, kind: 'primary', epoch: 0, status: 'active' }],
      },
    ])
  })

  it.each([false, true])(
    'repeating the last request of a creation whose answer was lost creates a single wallet (exportable: %s)',
    async exportable => {
      const user = await world.user()
      const wallet = await create(r1, user, { scheme, exportable, twice: true })
      await expectSigns(wallet)
      expect(await list(r1, user)).toHaveLength(1)
    },
  )

  it('imports a key and keeps its address', async () => {
    const seed = newSeed()
    const { answer, wallet } = await importKey(r1, await world.user(), seed, scheme)
    expect(answer.body.wallet.address).toBe(bs58.encode(ed25519.getPublicKey(seed)))
    await expectSigns(wallet)
  })

  it('after a refresh the new shares sign, and the old shares do not', async () => {
    const wallet = await create(r1, await world.user(), { scheme })
    const resharing = await reshare(r1, wallet)
    await expectSigns(wallet)
    const after = resharing.after(wallet, await resharing.commit())
    expect(after.epoch).toBe(1)
    await expectSigns(after)
    expect(await sign(r1, wallet, text('old'))).toMatchObject({ status: 409, body: { code: 'epoch_mismatch' } })
  })

  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)('resharing to %s keeps the address', async to => {
    const wallet = await create(r1, await world.user(), { scheme })
    const resharing = await reshare(r1, wallet, { purpose: 'reshare', scheme: to })
    const answer = await resharing.commit()
    expect(ok(answer).wallet).toMatchObject({ address: wallet.address, scheme: to })
    await expectSigns(resharing.after(wallet, answer))
  })
})

it('[S1.11] R2 leaves a wallet and joins the wallet again, after a refresh that R2 took no part in', async () => {
  let wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
  for (const scheme of ['TWO_OF_THREE', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const) {
    const purpose = wallet.scheme === scheme ? 'refresh' : 'reshare'
    const resharing = await reshare(r1, wallet, { purpose, scheme })
    wallet = resharing.after(wallet, await resharing.commit())
    await expectSigns(wallet)
  }
  expect(wallet.epoch).toBe(3)
})

describe('a further device', () => {
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'adds a device to a %s wallet from the backup, and the new device signs beside the first',
    async scheme => {
      const wallet = await create(r1, await world.user(), { scheme })
      const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
      const answer = await joined.commit()
      const second = joined.after(wallet, answer)
      expect(ok(answer).wallet.sets).toHaveLength(2)
      await expectSigns(second)
      await expectSigns(wallet)
      // The primary set keeps its epoch and its backup.
      expect(ok(answer).wallet.sets[0]).toMatchObject({ kind: 'primary', epoch: 0 })
    },
  )

  it('replaces a lost device from the backup, at the next epoch', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const resharing = await reshare(r1, wallet, { purpose: 'replaceDevice', by: 'B1' })
    const after = resharing.after(wallet, await resharing.commit())
    await expectSigns(after)
    expect((await sign(r1, wallet, text('lost'))).status).toBe(401)
  })
})

it('creates no more wallets than a user may have, however many creations begin at once', async () => {
  const user = await world.user()
  const seed = newSeed()
  const imported = importKey(r1, user, seed).then(({ answer }) => ok(answer))
  const made = await Promise.allSettled([create(r1, user), create(r1, user), create(r1, user), imported])
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX)
  for (const outcome of made)
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('too_many_embedded_wallets_for_user')
  expect(await list(r1, user)).toHaveLength(MAX)
})
