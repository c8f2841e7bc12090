import { isKeybayError } from '@keybay/kernel'
import { expect, it } from 'vitest'
import { badNode, FEE, reply, result, SOL, setUpChain, stranger } from './support.js'

const setup = setUpChain()
const { closing, rich } = setup

/** Mints 100 of a token with 6 decimals. */
async function mint(owner: string): Promise<void> {
  const order = { owner, symbol: 'DEMO', amount: '100000000', program: 'spl-token' }
  const response = await fetch(`${setup.chain.url}/admin/mint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  expect(response.ok).toBe(true)
}

it('lists what came and went, newest first, for the wallet and for its token account', async () => {
  const { solana, wallet } = await rich()
  const { history, tokenAccounts } = await solana.steps()
  await mint(wallet.address)
  const [account] = await tokenAccounts(wallet.address)
  if (!account) throw new Error('no tokens')
  const { mint: token, address } = account
  const sent = await solana.send({ to: stranger(), token, amount: 1_500_000n })
  const paid = await solana.send({ to: stranger(), lamports: SOL, memo: 'für [9] Brote' })
  const [newest, transfer, minted] = await history(wallet.address)
  expect(newest).toMatchObject({ signature: paid.signature, slot: paid.slot, failed: false, memo: 'für [9] Brote' })
  expect(newest?.movement).toEqual({ lamports: -SOL - FEE, tokens: [] })
  expect(newest?.time).toBeGreaterThan(1_600_000_000_000)
  expect(transfer?.signature).toBe(sent.signature)
  expect(transfer?.movement?.tokens).toEqual([{ account: address, mint: token, decimals: 6, amount: -1_500_000n }])
  expect(minted?.movement).toEqual({
    lamports: 0n,
    tokens: [{ account: address, mint: token, decimals: 6, amount: 100_000_000n }],
  })
  expect((await history(address, { limit: 1 })).map(({ movement }) => movement?.tokens[0]?.amount)).toEqual([
    -1_500_000n,
  ])
})

it('refuses a text that is no address', async () => {
  const { history } = await (await setup.open()).solana.steps()
  await expect(history('abc')).rejects.toSatisfy(error => isKeybayError(error) && error.code === 'address_invalid')
})

it('lists a transaction that the node does not know in full yet, and reads one that it knows only once', async () => {
  const address = stranger()
  const transaction = {
    transaction: { message: { accountKeys: [{ pubkey: address }] } },
    meta: { preBalances: [5], postBalances: [7] },
  }
  const node = await badNode((call, response) => {
    const entry = { slot: 4, err: { InstructionError: [0, 'x'] }, memo: null, blockTime: null }
    const entries = ['new', 'old'].map(signature => ({ ...entry, signature }))
    const answer = call.params[0] === 'old' ? transaction : null
    reply(response, result(call, call.method === 'getSignaturesForAddress' ? entries : answer))
  })
  closing.push(node.close)
  const { history } = await (await setup.open({ url: node.url })).solana.steps()
  const first = await history(address)
  expect(first).toEqual([
    { signature: 'new', slot: 4, time: undefined, failed: true, memo: undefined, movement: undefined },
    {
      signature: 'old',
      slot: 4,
      time: undefined,
      failed: true,
      memo: undefined,
      movement: { lamports: 2n, tokens: [] },
    },
  ])
  expect(await history(address)).toEqual(first)
  expect(node.calls.filter(({ params }) => params[0] === 'old')).toHaveLength(1)
  expect(node.calls.filter(({ params }) => params[0] === 'new')).toHaveLength(2)
})
