/** The window shows a transaction with the environment's node: an honest one, and ones that lie, hang or are away. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { startChain } from '@keybay/sandbox-chain'
import { parseTransaction } from '@keybay/waas/relay-client'
import {
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { Window } from 'happy-dom'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { getPreview } from '../../src/page/chains/solana/preview.js'
import { showTransaction } from '../../src/page/chains/solana/show-transaction.js'
import { listenHere } from '../pages.js'

const { document, HTMLElement } = new Window()
Object.assign(globalThis, { document, HTMLElement })

const chain = await startChain({ port: 0 })
const connection = new Connection(chain.url, 'confirmed')
const [wallet, friend] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
let mint: PublicKey

async function mintFor(owner: PublicKey, more: object = {}): Promise<PublicKey> {
  const body = JSON.stringify({ owner: owner.toBase58(), symbol: 'PREVIEW', ...more })
  return new PublicKey((await (await fetch(`${chain.url}/admin/mint`, { method: 'POST', body })).json()).mint)
}

beforeAll(async () => {
  await connection.confirmTransaction(await connection.requestAirdrop(wallet, 2_000_000_000))
  mint = await mintFor(wallet)
  await mintFor(friend, { mint: mint.toBase58() })
})

type Answer = Readonly<Record<string, unknown>>
/** Changes an answer of the node; undefined: the node never answers. */
type Lie = (method: string, result: Answer) => unknown

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => chain.stop())

/** Serves the chain's node with lies in its answers. */
async function lyingNode(lie: Lie): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const headers = { 'content-type': 'application/json' }
    // The window may have stopped waiting, and the chain may be gone.
    const answer = await fetch(chain.url, { method: 'POST', headers, body }).catch(() => undefined)
    if (!answer) return
    const { result } = await answer.json()
    const changed = lie(JSON.parse(body).method, result)
    if (changed !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: changed }))
  })
  const { port, close } = await listenHere(server)
  closing.push(() => {
    server.closeAllConnections()
    close()
  })
  return `http://127.0.0.1:${port}`
}

async function build(instructions: readonly TransactionInstruction[], recentBlockhash?: string) {
  const blockhash = recentBlockhash ?? (await connection.getLatestBlockhash()).blockhash
  const transaction = new Transaction({ feePayer: wallet, recentBlockhash: blockhash }).add(...instructions)
  const encoded = transaction.serialize({ requireAllSignatures: false }).toString('base64')
  const { parsed } = parseTransaction(Buffer.from(encoded, 'base64'))
  return { encoded, parsed, wallet: wallet.toBase58() }
}

/** Returns the texts of the window: each line of a list, and each paragraph. */
async function show(
  transaction: Awaited<ReturnType<typeof build>>,
  rpcUrl?: string,
  sentTo: readonly string[] = [],
): Promise<readonly string[]> {
  const store = { isRecipient: async (_sender: unknown, address: string) => sentTo.includes(address) }
  const frame = { configuration: { rpcUrl }, screen: { busy() {} }, store }
  const job = { frame, user: 'a-user', context: { signal: new AbortController().signal } }
  const { content } = await showTransaction(job, transaction)
  return content.flatMap(part => {
    if (!(part instanceof HTMLElement)) return []
    const terms = [...part.querySelectorAll('dt')]
    const lines = terms.map(term => `${term.textContent}: ${term.nextElementSibling?.textContent}`)
    return lines.length > 0 ? lines : [part.textContent ?? '']
  })
}

function sendSol(lamports: number): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: wallet, toPubkey: friend, lamports })
}

function accountOf(owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner)
}

function sendTokens(amount: number): TransactionInstruction {
  return createTransferCheckedInstruction(accountOf(wallet), mint, accountOf(friend), wallet, amount, 6)
}

/** Changes the bytes of every token account in an answer. */
function withAccounts(result: Answer, change: (data: Buffer) => void): Answer {
  const value = Array.isArray(result.value) ? result.value : []
  return {
    ...result,
    value: value.map(account => {
      const data = Buffer.from(account?.data[0] ?? '', 'base64')
      if (data.length < 165) return account
      change(data)
      return { ...account, data: [data.toString('base64'), 'base64'] }
    }),
  }
}

const UNKNOWN = expect.stringContaining('couldn’t simulate this transaction')

describe('the window with a node', () => {
  it('shows what leaves the wallet, the network by its first block, and the owner of the recipient’s account', async () => {
    const shown = await show(await build([sendSol(100_000_000), sendTokens(2_500_000)]), chain.url)
    const { host } = new URL(chain.url)
    const expected = ['Leaves: 0.100005 SOL', 'Leaves: 2.5', `Token: ${mint.toBase58()}`, `Simulated by: ${host}`]
    expect(shown).toEqual(expect.arrayContaining([...expected, 'Network: Solana localnet']))
    expect(shown).toContain(`To: ${friend.toBase58()}`)
    expect(shown).toContain('Verified: This wallet’s own account for the token')
    expect(shown.filter(text => !text.includes(': '))).toEqual([])
  })

  it('names the owner and the token of a transfer that names neither, because the account’s address proves both', async () => {
    const plain = createTransferInstruction(accountOf(wallet), accountOf(friend), wallet, 2_500_000)
    const shown = await show(await build([plain]), chain.url)
    const expected = [`To: ${friend.toBase58()}`, `Token: ${mint.toBase58()}`, 'Amount, smallest units: 2500000']
    expect(shown).toEqual(expect.arrayContaining([...expected, 'Verified: This wallet’s own account for the token']))
    expect(await show(await build([plain]))).toContain(`To token account: ${accountOf(friend).toBase58()}`)
  })

  it('says which recipients are new, and knows the owner of a token account from an earlier transfer of SOL', async () => {
    const first = 'Recipient: First time you send here'
    const tokens = await build([sendTokens(1)])
    expect(await show(tokens, chain.url)).toContain(first)
    expect(await show(tokens, chain.url, [friend.toBase58()])).not.toContain(first)
    expect(await show(tokens, undefined, [friend.toBase58()])).toContain(first)
    const toSelf = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 })
    expect(await show(await build([toSelf]))).not.toContain(first)
  })

  it('warns of a transaction that would fail, and says so where the wallet cannot pay its fee', async () => {
    const [warning] = await show(await build([sendSol(3_000_000_000)]), chain.url)
    expect(warning).toBe('This transaction would fail.')
    const poor = Keypair.generate().publicKey
    const { blockhash } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: poor, recentBlockhash: blockhash })
    transaction.add(SystemProgram.transfer({ fromPubkey: poor, toPubkey: friend, lamports: 1 }))
    const encoded = transaction.serialize({ requireAllSignatures: false }).toString('base64')
    const { parsed } = parseTransaction(Buffer.from(encoded, 'base64'))
    const shown = await show({ encoded, parsed, wallet: poor.toBase58() }, chain.url)
    expect(shown).toContain('This transaction would fail: the wallet has too little SOL.')
  })

  it('names no network for a transaction whose blockhash the node does not know', async () => {
    const shown = await show(await build([sendSol(1)], Keypair.generate().publicKey.toBase58()), chain.url)
    expect(shown).toContain('This transaction is too old, or not for Solana localnet.')
    expect(shown).toContain('Network: Solana')
  })
})

describe('a node that cannot be trusted', () => {
  it.each<[name: string, lie: Lie]>([
    [
      'turns the payment round',
      (method, result) => {
        if (method !== 'getMultipleAccounts') return result
        const value = Array.isArray(result.value) ? result.value : []
        return { ...result, value: value.map(account => account && { ...account, lamports: 1 }) }
      },
    ],
    [
      'lists other accounts',
      (method, result) => (method === 'getMultipleAccounts' ? { ...result, value: [] } : result),
    ],
    [
      'answers numbers below zero',
      (method, result) =>
        method === 'getMultipleAccounts' ? { value: [{ lamports: -1, owner: '', data: [''] }] } : result,
    ],
    ['makes up names', (method, result) => (method === 'getGenesisHash' ? '<b>Solana mainnet</b>' : result)],
    ['answers text', () => 'yes'],
    ['answers nothing', () => null],
    ['gives every account another owner', (_, result) => withAccounts(result, data => void data.fill(7, 32, 64))],
    ['gives every account another token', (_, result) => withAccounts(result, data => void data.fill(7, 0, 32))],
  ])('hides nothing that the transaction says when it %s', async (_, lie) => {
    const transaction = await build([sendSol(100_000_000), sendTokens(2_500_000)])
    const alone = (await show(transaction)).filter(line => !line.startsWith('Network:'))
    const shown = await show(transaction, await lyingNode(lie))
    expect(alone).toContain('Amount: 0.1 SOL')
    expect(shown).toEqual(expect.arrayContaining([...alone]))
  })

  it('is not believed about the owner of a token account: the window says who says so, and warns', async () => {
    const other = Keypair.generate().publicKey
    const rpcUrl = await lyingNode((_, result) => withAccounts(result, data => void data.set(other.toBytes(), 32)))
    const shown = await show(await build([sendTokens(1)]), rpcUrl)
    expect(shown).toContain(`To, says the network: ${other.toBase58()}`)
    expect(shown).not.toContain(`To: ${other.toBase58()}`)
    expect(shown.filter(text => text.startsWith('Verified'))).toEqual([])
    expect(shown.join()).toContain(`The account ${accountOf(friend).toBase58()} is not the usual one of its owner.`)
  })

  it('makes the window warn of an account of another token, and name no owner of it', async () => {
    const rpcUrl = await lyingNode((_, result) => withAccounts(result, data => void data.fill(7, 0, 32)))
    const shown = await show(await build([sendTokens(1)]), rpcUrl)
    expect(shown.join()).toContain(`the account ${accountOf(friend).toBase58()} is not for this token`)
    expect(shown.filter(text => text.startsWith('To:') || text.startsWith('To, '))).toEqual([])
  })

  it('is away: the window says so, and shows the transaction all the same', async () => {
    const { port, close } = await listenHere(createServer())
    close()
    const shown = await show(await build([sendSol(100_000_000)]), `http://127.0.0.1:${port}`)
    expect(shown).toEqual(expect.arrayContaining(['Amount: 0.1 SOL', 'Network: Solana', UNKNOWN]))
  })

  it('never answers: the question comes without it when the time is over', async () => {
    const rpcUrl = await lyingNode(() => undefined)
    const preview = await getPreview({ rpcUrl, ...(await build([sendSol(1)])), timeoutMs: 50 })
    expect(preview).toMatchObject({ outcome: 'unknown', changes: [], network: undefined, tokenAccounts: undefined })
  })
})
