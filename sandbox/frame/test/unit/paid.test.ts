// @vitest-environment happy-dom
/** Attacks the memory of recipients: an address becomes known only when the wallet has sent it an amount. */
import { parseTransaction } from '@keybay/waas/relay-client'
import {
  createAssociatedTokenAccountInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, type PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { showTransaction } from '../../src/page/chains/solana/show-transaction.js'

function key(seed: number) {
  return Keypair.fromSeed(new Uint8Array(32).fill(seed)).publicKey
}
const [wallet, stranger, thief, mint] = [key(1), key(2), key(3), key(4)]
const own = getAssociatedTokenAddressSync(mint, wallet)
const others = getAssociatedTokenAddressSync(mint, stranger)
const thiefs = getAssociatedTokenAddressSync(mint, thief)

/** Shows a transaction. @returns the window's text, and the addresses that are known once the user has agreed */
async function show(instructions: readonly TransactionInstruction[], known: readonly PublicKey[] = []) {
  const transaction = new Transaction({ feePayer: wallet, recentBlockhash: mint.toBase58() }).add(...instructions)
  const bytes = transaction.serialize({ requireAllSignatures: false })
  const isRecipient = async (_: unknown, address: string) => known.some(each => each.toBase58() === address)
  const frame = { configuration: {}, screen: { busy: () => {} }, store: { isRecipient } }
  const asking = { frame, user: 'mara', context: new AbortController() }
  const toShow = {
    encoded: bytes.toString('base64'),
    parsed: parseTransaction(bytes).parsed,
    wallet: wallet.toBase58(),
  }
  const { content, paid } = await showTransaction(asking, toShow)
  return { text: content.map(child => (child instanceof HTMLElement ? child.textContent : child)).join(''), paid }
}

/** Returns the addresses that are known once the user has agreed. */
async function known(...instructions: readonly TransactionInstruction[]): Promise<readonly string[]> {
  const { text, paid } = await show(instructions)
  expect(text).toContain(thief.toBase58().slice(0, 4))
  return paid
}

it.each<[what: string, ...instructions: readonly TransactionInstruction[]]>([
  ['no SOL', SystemProgram.transfer({ fromPubkey: wallet, toPubkey: thief, lamports: 0 })],
  ['SOL of another wallet', SystemProgram.transfer({ fromPubkey: stranger, toPubkey: thief, lamports: 1 })],
  ['a new token account', createAssociatedTokenAccountInstruction(wallet, thiefs, thief, mint)],
  [
    'no tokens',
    createAssociatedTokenAccountInstruction(wallet, thiefs, thief, mint),
    createTransferCheckedInstruction(own, mint, thiefs, wallet, 0, 6),
    createTransferInstruction(own, thiefs, wallet, 0),
  ],
  [
    'tokens of another wallet',
    createAssociatedTokenAccountInstruction(wallet, thiefs, thief, mint),
    createTransferCheckedInstruction(others, mint, thiefs, stranger, 1, 6),
    createTransferInstruction(others, thiefs, stranger, 1),
  ],
])('does not know an address that got %s', async (_, ...instructions) => {
  expect(await known(...instructions)).toEqual([])
})

it('knows whom the wallet sent SOL or tokens, and the owner whose account it opened for them', async () => {
  expect(await known(SystemProgram.transfer({ fromPubkey: wallet, toPubkey: thief, lamports: 1 }))).toEqual([
    thief.toBase58(),
  ])
  const opening = createAssociatedTokenAccountInstruction(wallet, thiefs, thief, mint)
  for (const sent of [
    createTransferCheckedInstruction(own, mint, thiefs, wallet, 1, 6),
    createTransferInstruction(own, thiefs, wallet, 1),
  ])
    expect(await known(opening, sent)).toEqual([thiefs.toBase58(), thief.toBase58()])
})

it('warns of a new token account, though the page says that a known wallet or the user’s own opens it there', async () => {
  for (const owner of [wallet, stranger]) {
    const opening = createAssociatedTokenAccountInstruction(wallet, thiefs, owner, mint)
    const sent = createTransferCheckedInstruction(own, mint, thiefs, wallet, 1, 6)
    expect((await show([opening, sent], [stranger])).text).toContain('First time you send here')
  }
})

it('does not know the owner that the page names for a known token account of another wallet', async () => {
  const opening = createAssociatedTokenAccountInstruction(wallet, others, thief, mint)
  for (const sent of [
    createTransferCheckedInstruction(own, mint, others, wallet, 1, 6),
    createTransferInstruction(own, others, wallet, 1),
  ])
    expect((await show([opening, sent], [others])).paid).toEqual([others.toBase58()])
})
