/** Counts requests per node, and checks that fewer requests lose nothing: the quoted fee is the fee paid. */
import type { Clock } from '@keybay/kernel'
import { beforeEach, expect, it, vi } from 'vitest'
import type { SendInput } from '../src/index.js'
import { SYSTEM_PROGRAM } from '../src/programs/addresses.js'
import { computeUnitLimit, computeUnitPrice } from '../src/programs/instructions.js'
import { FEE, SOL, setUpChain, stranger } from './support.js'

/** Rent exemption of an account without data. */
const RENT = 890_880n
/** Matches any recent fee. */
const DEAREST = { percentile: 100, maxLamports: 100_000n }

const setup = setUpChain({ slotMs: undefined })
const { rich } = setup
/** Every request that leaves the page, by method. */
const calls: string[] = []
beforeEach(() => {
  const real = fetch
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    const body = args[1]?.body
    if (typeof body === 'string') calls.push(String(JSON.parse(body).method))
    return real(...args)
  })
})
type Rich = Awaited<ReturnType<typeof rich>>

async function mintFor({ wallet }: Rich, program = 'spl-token'): Promise<string> {
  const body = JSON.stringify({ owner: wallet.address, symbol: 'CALLS', amount: '1000000', program })
  return (await (await fetch(`${setup.chain.url}/admin/mint`, { method: 'POST', body })).json()).mint
}
/** Sends a transaction, and compares the returned slot and the quoted fee with those on the chain. */
async function getCalls({ solana }: Rich, input: SendInput) {
  calls.length = 0
  let quoted: bigint | undefined
  const { signature, slot } = await solana.send({
    ...input,
    onStep(step) {
      if (step.step === 'fee') quoted = step.fee
    },
  })
  const methods = [...calls]
  const landed = await setup.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect({ slot: landed?.slot, fee: BigInt(landed?.meta?.fee ?? 0) }).toEqual({ slot, fee: quoted })
  return { asked: methods, fee: quoted ?? 0n }
}
/** Without a websocket, only a status says that a transaction is confirmed. */
const POLLED = ['sendTransaction', 'getSignatureStatuses']
/** A websocket that subscribed before the send reports result and slot. */
const REPORTED = ['sendTransaction']

/** Pays a priority fee for writing these accounts: a price per unit, in micro-lamports. */
async function bid(from: Rich, price: bigint, input: { readonly to: string; readonly token: string }) {
  const instructions = [computeUnitLimit(100_000), computeUnitPrice(price)]
  const paid = await getCalls(from, { ...input, amount: 1n, instructions })
  // A slot's fee is the lowest paid in it, so the next transaction needs its own slot.
  setup.chain.advanceSlots(1)
  return paid
}

it('a SOL transfer needs two calls with a websocket, and three without', async () => {
  const order = () => ({ to: stranger(), lamports: SOL })
  const [sender, methods] = [await rich(), ['simulateTransaction']]
  expect(await getCalls(sender, order())).toEqual({ asked: [...methods, ...REPORTED], fee: FEE })
  vi.stubGlobal('WebSocket', undefined)
  expect(await getCalls(await rich(), order())).toEqual({ asked: [...methods, ...POLLED], fee: FEE })
})
it('a SOL transfer with a priority needs three calls: recent fees, simulation and send', async () => {
  const { asked } = await getCalls(await rich(), { to: stranger(), lamports: SOL, priority: 'high' })
  expect(asked).toEqual(['getRecentPrioritizationFees', 'simulateTransaction', ...REPORTED])
})
it('a token transfer with a priority that no form has shown needs four calls, and five without a websocket', async () => {
  const order = async (sender: Rich): Promise<SendInput> => ({
    to: stranger(),
    token: await mintFor(sender),
    amount: 1n,
    priority: 'high',
  })
  const [sender, methods] = [
    await rich(),
    ['getMultipleAccounts', 'getRecentPrioritizationFees', 'simulateTransaction'],
  ]
  expect((await getCalls(sender, await order(sender))).asked).toEqual([...methods, ...REPORTED])
  vi.stubGlobal('WebSocket', undefined)
  const polling = await rich()
  expect((await getCalls(polling, await order(polling))).asked).toEqual([...methods, ...POLLED])
})
it.each(['spl-token', 'spl-token-2022'])(
  'a token transfer (%s) needs three calls, whether or not it creates an account',
  async program => {
    const sender = await rich()
    const order = { to: stranger(), token: await mintFor(sender, program), amount: 1n }
    for (const _ of ['made', 'there'])
      expect((await getCalls(sender, order)).asked).toEqual(['getMultipleAccounts', 'simulateTransaction', ...REPORTED])
  },
)
it('a token transfer with a priority pays the fee of the preview, in three calls', async () => {
  let later = 0
  const clock: Clock = {
    now: () => Date.now() + later,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
  const [sender, other] = [await rich({ clock }), await rich()]
  const token = await mintFor(sender)
  const friend = { to: other.wallet.address, token }
  await bid(sender, 2_000_000n, friend)
  const order: SendInput = { ...friend, amount: 2n, priority: DEAREST }
  const { build, fee } = await sender.solana.steps()
  const shown = await fee(await build(order, { preview: true }))
  expect(shown.fee).toBeGreaterThan(FEE)
  // Others pay more by now.
  await bid(sender, 4_000_000n, friend)
  const sent = await getCalls(sender, order)
  expect(sent).toEqual({ asked: ['getMultipleAccounts', 'simulateTransaction', ...REPORTED], fee: shown.fee })
  // Other accounts need another request, and so do the same accounts a minute later.
  const elsewhere = await getCalls(sender, { ...order, to: stranger() })
  expect(elsewhere.asked).toContain('getRecentPrioritizationFees')
  later = 60_000
  const afterwards = await getCalls(sender, order)
  expect(afterwards.asked).toContain('getRecentPrioritizationFees')
  expect(afterwards.fee).toBeGreaterThan(shown.fee)
})
it('does not reuse the recent fees of other nodes for the user’s own node', async () => {
  const sender = await rich()
  const order: SendInput = { to: stranger(), lamports: SOL, priority: 'high' }
  await getCalls(sender, order)
  expect((await getCalls(sender, order)).asked).not.toContain('getRecentPrioritizationFees')
  const node = await setup.chain.addNode()
  await (await sender.solana.steps()).nodes.set(node.url)
  expect((await getCalls(sender, order)).asked).toContain('getRecentPrioritizationFees')
})
it('[S8.3] a failed transaction costs one more call for its logs, and is reported even if that call fails', async () => {
  vi.stubGlobal('WebSocket', undefined)
  const { solana } = await rich()
  const { build, sign, submit, confirm } = await solana.steps()
  const unknown = { program: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(99, 0, 0, 0) }
  const refused = async () => {
    const signed = await sign({ ...(await build({ instructions: [unknown] })), fee: FEE })
    await submit(signed, { preflight: false })
    calls.length = 0
    return confirm(signed).catch((error: unknown) => error)
  }
  const reason = 'instruction 1: invalid instruction data'
  const failed = expect.stringContaining('failed: invalid instruction data')
  expect(await refused()).toMatchObject({
    message: 'Transaction failed',
    details: { reason, logs: expect.arrayContaining([failed]) },
  })
  expect(calls).toEqual(['getSignatureStatuses', 'getTransaction'])
  setup.chain.faults.add({ type: 'error', status: 500, method: 'getTransaction' })
  expect(await refused()).toMatchObject({ message: 'Transaction failed', details: { reason, logs: [] } })
  expect(calls).toEqual(['getSignatureStatuses', 'getTransaction'])
})
it('requests blockhash and fee from a node older than Agave 2.0', async () => {
  setup.chain.faults.add({ type: 'old-node' })
  const { asked, fee } = await getCalls(await rich(), { to: stranger(), lamports: SOL })
  expect(asked).toEqual(['simulateTransaction', 'getLatestBlockhash', 'getFeeForMessage', ...REPORTED])
  expect(fee).toBe(FEE)
})
it('requests the fee where the host’s own instructions set a price', async () => {
  const sender = await rich()
  const { asked, fee } = await bid(sender, 7n, { to: stranger(), token: await mintFor(sender) })
  expect(asked).toContain('getFeeForMessage')
  expect(fee).toBe(FEE + 1n)
})
it('requests the fee of a transaction that differs from the simulated transaction', async () => {
  const sender = await rich()
  const { build, fee } = await sender.solana.steps()
  const [built, other] = [
    await build({ to: stranger(), lamports: SOL }),
    await build({ to: stranger(), lamports: SOL, feePayer: (await rich()).wallet.address }),
  ]
  expect((await fee(built)).fee).toBe(FEE)
  calls.length = 0
  expect((await fee({ ...built, transaction: other.transaction.slice() })).fee).toBe(2n * FEE)
  expect(calls).toContain('getFeeForMessage')
})
it.each([false, true])(
  'counts a priority fee in the needed funds before the wallet signs (old node: %s)',
  async isOld => {
    const [sender, other] = [await rich(), await rich()]
    await bid(other, 2_000_000n, { to: stranger(), token: await mintFor(other) })
    if (isOld) setup.chain.faults.add({ type: 'old-node' })
    const refused = sender.solana.send({ to: other.wallet.address, lamports: 10n * SOL - FEE, priority: DEAREST })
    await expect(refused).rejects.toThrow(/^Insufficient funds\.$/)
    await expect(refused).rejects.toMatchObject({ details: { balance: String(10n * SOL) } })
    expect(sender.wallet.asked).toHaveLength(0)
  },
)
it('refuses a priority fee that leaves the sender of a token too little SOL for the account', async () => {
  const [sender, other] = [await rich({}, FEE + RENT), await rich()]
  const token = await mintFor(other)
  await bid(other, 2_000_000n, { to: sender.wallet.address, token })
  const order = { to: other.wallet.address, token, amount: 1n }
  const refused = sender.solana.send({ ...order, priority: DEAREST })
  await expect(refused).rejects.toThrow(/^Insufficient funds\.$/)
  await expect(refused).rejects.toMatchObject({ details: { reason: /0\.00089088 SOL/ } })
  expect(sender.wallet.asked).toHaveLength(0)
  await getCalls(sender, order)
})
