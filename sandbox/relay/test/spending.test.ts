/** Daily caps count what all sets of the user spend; a delegate's cap counts what that delegate spends. */
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { transfer } from '../src/bench/wallet.js'
import { create, grant, grantOf, join, ok, only, refusal, sign, type Wallet } from './frame/index.js'
import { getSharedWorld } from './world.js'

const world = await getSharedWorld()
const r1 = only(world.r1)

/** Lamports of a transfer with its fee. */
const SPENT = 990_000_000n

function pay(wallet: Wallet) {
  return sign(r1, wallet, transfer(bs58.decode(wallet.address), SPENT - 5_000n), {
    kind: 'transaction',
    consent: false,
  })
}

/** Creates a wallet with a grant of 1 SOL a day, which its further devices have too. */
async function createGranted(scheme?: 'TWO_OF_THREE' | 'THREE_OF_FIVE'): Promise<Wallet> {
  const wallet = await create(r1, await world.user(), { ...(scheme && { scheme }) })
  ok(await grant(r1, wallet, 1_000_000_000n))
  return { ...wallet, policy: grantOf(1_000_000_000n) }
}

describe('the daily cap', () => {
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'counts what the primary device and three more devices of a wallet in %s spend together',
    async scheme => {
      const primary = await createGranted(scheme)
      const devices: Wallet[] = []
      for (let count = 0; count < 3; count++) devices.push((await join(r1, primary)).joined)
      expect((await pay(primary)).status).toBe(200)
      for (const device of devices)
        expect(await pay(device)).toMatchObject(refusal(403, 'consent_required', { rule: 'daily-limit' }))
      expect(await pay(primary)).toMatchObject(refusal(403, 'consent_required', { rule: 'daily-limit' }))
    },
  )
  it('holds when all devices spend at the same time', async () => {
    const primary = await createGranted()
    const devices = [primary]
    for (let count = 0; count < 3; count++) devices.push((await join(r1, primary)).joined)
    const answers = await Promise.all(devices.map(pay))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  })
})
