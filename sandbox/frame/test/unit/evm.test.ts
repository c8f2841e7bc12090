/** Tests how the window names calls of tokens, in bytes that another library encodes. */
import { readEvmTransaction } from '@keybay/waas/evm'
import { Transaction } from 'micro-eth-signer'
import { createContract, ERC20 } from 'micro-eth-signer/abi.js'
import { describe, expect, it } from 'vitest'
import { describeEvmTransaction } from '../../src/page/chains/evm/describe.js'

// From the examples of EIP-55: a wallet shows its own addresses with these capitals.
const SENDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const OWNER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const RECIPIENT = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
const TOKEN = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const AMOUNT = 2n ** 200n + 1n

const { approve, transfer, transferFrom } = createContract(ERC20)

/** Describes what the call does, below the call itself. */
function describeCall(data: Uint8Array) {
  const transaction = Transaction.prepare({
    to: TOKEN,
    value: 0n,
    nonce: 0n,
    maxFeePerGas: 10n ** 9n,
    data: `0x${Buffer.from(data).toString('hex')}`,
  })
  const bytes = transaction.toBytes({ includeSignature: false })
  return describeEvmTransaction(readEvmTransaction(bytes), SENDER).slice(1)
}
const amount = { label: 'Amount, smallest units', value: AMOUNT.toString() }
const note = { label: 'Note', value: 'For a collectible, the amount is the number of the item.' }
function address(label: string, value: string) {
  return { label, value, address: true }
}
const to = { ...address('To', RECIPIENT), recipient: 'paid' }

describe('a call of a token', () => {
  it('names recipient and amount of a transfer', () => {
    expect(describeCall(transfer.encodeInput({ to: RECIPIENT, value: AMOUNT }))).toEqual([
      { title: 'Send tokens', lines: [to, amount] },
    ])
  })

  it.each([
    [OWNER, 'Move tokens of another address', 'unpaid'],
    [SENDER, 'Send tokens', 'paid'],
  ])('names owner, recipient and amount of a transfer from %s', (from, title, recipient) => {
    expect(describeCall(transferFrom.encodeInput({ from, to: RECIPIENT, value: AMOUNT }))).toEqual([
      { title, lines: [address('From', from), { ...to, recipient }, amount, note] },
    ])
  })

  it('pays no recipient of nothing, so that none becomes known', () => {
    const [sent] = describeCall(transfer.encodeInput({ to: RECIPIENT, value: 0n }))
    const [moved] = describeCall(transferFrom.encodeInput({ from: SENDER, to: RECIPIENT, value: 0n }))
    const fields = { to: RECIPIENT, value: 0n, nonce: 0n, maxFeePerGas: 10n ** 9n }
    const bytes = Transaction.prepare(fields).toBytes({ includeSignature: false })
    const [ether] = describeEvmTransaction(readEvmTransaction(bytes), SENDER)
    for (const action of [sent, moved, ether])
      expect(action?.lines).toContainEqual({ ...address('To', RECIPIENT), recipient: 'unpaid' })
  })

  it('names the address that may spend tokens, and how many', () => {
    expect(describeCall(approve.encodeInput({ spender: OWNER, value: AMOUNT }))).toEqual([
      {
        title: 'Allow another address to spend your tokens',
        lines: [address('Spender', OWNER), { ...amount, label: 'Up to, smallest units' }, note],
      },
    ])
  })

  it.each([-1, 1])('does not read a transfer whose data is %i byte longer', more => {
    const data = transferFrom.encodeInput({ from: OWNER, to: RECIPIENT, value: AMOUNT })
    const [action] = describeCall(new Uint8Array(data.length + more).map((_, index) => data[index] ?? 0))
    expect(action).toMatchObject({ title: 'A call that this wallet cannot read', unclear: true })
  })
})
