/** Creation at sign-in: each of a user's browsers asks for a first wallet, and R1 decides which one creates it. */
import { afterAll, afterEach, expect, it } from 'vitest'
import { startApiGate } from './api-gate.js'
import { create, list, only, refusal, sign, text } from './frame/index.js'
import { startWorld, type User } from './world.js'

const gate = await startApiGate()
const world = await startWorld({ environment: { apiUrl: gate.url } })
gate.target = world.api.api.internalUrl
const r1 = only(world.r1)
afterEach(() => {
  gate.faults.length = 0
  world.r1.clock.reset()
})
afterAll(async () => {
  await world.stop()
  gate.stop()
})

const first = { first: true } as const

async function walletsAtApi({ kit }: User): Promise<readonly string[]> {
  const { body } = await kit.call('/users/me')
  return body.credentials
    .filter(({ walletName }: { walletName?: string }) => walletName === 'dynamicWaas')
    .map(({ address }: { address: string }) => address)
}
/** Lets abandoned creations expire. */
async function expire() {
  world.r1.clock.advance(31 * 60_000)
  await world.r1.sweep()
  world.r1.clock.reset()
}

it.each(['TWO_OF_TWO', 'TWO_OF_THREE'] as const)(
  'two browsers that sign in at once get one %s wallet, and the API knows no other',
  async scheme => {
    const user = await world.user()
    const made = await Promise.allSettled([1, 2].map(() => create(r1, user, { ...first, scheme })))
    const wallets = made.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(wallets).toHaveLength(1)
    for (const outcome of made)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('409 {"code":"wallet_exists"')
    expect(await list(r1, user)).toHaveLength(1)
    await expire()
    expect(await walletsAtApi(user)).toEqual(wallets.map(({ address }) => address))
  },
)

it('a browser that signs in during a creation does not wait for it, and the late browser gets no wallet', async () => {
  const user = await world.user()
  const second: { wallet?: Awaited<ReturnType<typeof create>> } = {}
  const late = create(r1, user, {
    ...first,
    async finish(send) {
      second.wallet = await create(r1, user, first)
      const answer = await send()
      expect(answer).toMatchObject(refusal(409, 'wallet_exists', { reason: 'first' }))
      expect(await send()).toMatchObject(refusal(409, 'wallet_exists'))
      return answer
    },
  })
  await expect(late).rejects.toThrow('wallet_exists')
  if (!second.wallet) throw new Error('the second browser did not create the wallet')
  expect(await list(r1, user)).toMatchObject([{ address: second.wallet.address }])
  expect((await sign(r1, second.wallet, text('hello'))).status).toBe(200)
})

it('a creation whose browser was killed blocks no other browser', async () => {
  const user = await world.user()
  const killed = create(r1, user, { ...first, finish: () => Promise.reject(new Error('killed')) })
  await expect(killed).rejects.toThrow('killed')
  const wallet = await create(r1, user, first)
  expect(await list(r1, user)).toMatchObject([{ address: wallet.address }])
})

it('a creation that stopped after its report to the API resumes, and blocks no other browser', async () => {
  const resuming = await world.user()
  const resumed = await create(r1, resuming, {
    ...first,
    async finish(send) {
      gate.faults.push('lost')
      expect(await send()).toMatchObject(refusal(503, 'api_unavailable'))
      return send()
    },
  })
  expect(await list(r1, resuming)).toMatchObject([{ address: resumed.address }])

  const user = await world.user()
  const stopped = create(r1, user, {
    ...first,
    async finish(send) {
      gate.faults.push('lost')
      return send()
    },
  })
  await expect(stopped).rejects.toThrow('api_unavailable')
  const wallet = await create(r1, user, first)
  await expire()
  expect(await list(r1, user)).toMatchObject([{ address: wallet.address }])
  expect(await walletsAtApi(user)).toEqual([wallet.address])
})

it('refuses a first wallet before anything is dealt if the user has a wallet, and creates others as before', async () => {
  const user = await world.user()
  await create(r1, user, { chainName: 'EVM' })
  await expect(create(r1, user, first)).rejects.toThrow('409 {"code":"wallet_exists"')
  await create(r1, user)
  expect(await list(r1, user)).toHaveLength(2)
})
