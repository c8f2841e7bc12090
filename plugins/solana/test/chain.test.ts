/** Runs against the sandbox's chain, a real Solana VM, and verifies independently with @solana/web3.js. */
import { startChain } from '@keybay/sandbox-chain'
import {
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { parseSol, type TransactionStep, type TransferInput } from '../src/index.js'
import {
  FEE,
  fastClock,
  type Host,
  host,
  SOL,
  setUpChain,
  signWith,
  stranger,
  TestClock,
  testWallet,
} from './support.js'

const setup = setUpChain()
const { closing, open, rich, getHeld } = setup

it('[S4.5] a transfer is built, fee, signed, sent and confirmed, and reports each step to bus and caller', async () => {
  const { keybay, wallet } = await rich()
  const to = stranger()
  const onBus: TransactionStep[] = []
  const steps: TransactionStep[] = []
  keybay.on('transaction:step', step => onBus.push(step))
  const { signature, slot } = await keybay.solana.send({
    to,
    lamports: parseSol('1.5'),
    memo: 'for lunch — ☕',
    onStep: step => steps.push(step),
  })
  expect(steps.map(({ step }) => step)).toEqual(['built', 'fee', 'signed', 'sent', 'confirmed'])
  expect(onBus).toEqual(steps)
  expect(new Set(steps.map(({ id }) => id)).size).toBe(1)
  expect(steps).toContainEqual(expect.objectContaining({ step: 'fee', fee: FEE }))
  expect(await getHeld(to)).toBe(1_500_000_000n)
  expect(await getHeld(wallet.address)).toBe(10n * SOL - 1_500_000_000n - FEE)
  const landed = await setup.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(landed?.slot).toBe(slot)
  expect(landed?.meta?.logMessages?.join('\n')).toContain('for lunch')
  expect(wallet.asked.map(({ chain: named }) => named)).toEqual(['solana:localnet'])
})
it('[S7.7] an independent client sees the blockhash, fee, balances and transfer that the plugin reports', async () => {
  const { keybay, wallet } = await rich()
  const to = stranger()
  const { build, fee, sign, submit, confirm } = await keybay.solana.steps()
  const built = await build({ to, lamports: SOL })
  const unsigned = VersionedTransaction.deserialize(built.transaction)
  expect((await setup.connection.isBlockhashValid(unsigned.message.recentBlockhash)).value).toBe(true)
  const priced = await fee(built)
  expect(priced.fee).toBe(BigInt((await setup.connection.getFeeForMessage(unsigned.message)).value ?? 0))
  const signed = await sign(priced)
  expect(await getHeld(to)).toBe(0n)
  expect(await submit(signed)).toBe(signed.signature)
  expect(await confirm(signed)).toMatchObject({ signature: signed.signature })
  expect(await submit(signed)).toBe(signed.signature) // The same bytes again: landed once.
  expect(await keybay.solana.getBalance(to)).toBe(SOL)
  expect(await keybay.solana.getBalance(wallet.address)).toBe(await getHeld(wallet.address))
})
it('returns the slot in which a transfer landed, also when the node reports it later', async () => {
  const { keybay } = await rich()
  const { build, fee, sign, submit, confirm } = await keybay.solana.steps()
  const signed = await sign(await fee(await build({ to: stranger(), lamports: SOL })))
  await submit(signed)
  const { slot } = await confirm(signed)
  await fetch(`${setup.chain.url}/admin/slots`, { method: 'POST', body: JSON.stringify({ count: 5 }) })
  expect(await confirm(signed)).toEqual({ signature: signed.signature, slot })
  expect((await setup.connection.getTransaction(signed.signature, { maxSupportedTransactionVersion: 0 }))?.slot).toBe(
    slot,
  )
})
it('equal transfers that are sent at once are separate transactions', async () => {
  const { keybay } = await rich()
  const to = stranger()
  const all = await Promise.all([1, 2, 3].map(() => keybay.solana.send({ to, lamports: SOL })))
  expect(new Set(all.map(({ signature }) => signature)).size).toBe(3)
  expect(await getHeld(to)).toBe(3n * SOL)
})
it('[S1.18] a preview does not change the transaction that is sent, so the fee of the preview is paid', async () => {
  const still = await startChain({ port: 0, slotMs: 0 }) // All use the same blockhash.
  closing.push(() => still.stop())
  const keybay = await host({ url: still.url, wallets: [testWallet()] })
  closing.push(keybay.dispose)
  const { build } = await keybay.solana.steps()
  const transfer = { to: stranger(), lamports: SOL }
  const [shown, shownAgain] = [await build(transfer, { preview: true }), await build(transfer, { preview: true })]
  const [first, second] = [await build(transfer), await build(transfer)]
  expect([shownAgain, first].map(({ transaction }) => transaction)).toEqual([shown.transaction, shown.transaction])
  expect(second.transaction).not.toEqual(first.transaction)
})
it.each<[string, Partial<TransferInput>, object]>([
  ['[S5.5] [S8.3] Destination is required', { to: '' }, { message: 'Destination is required' }],
  ['[S5.4] an address of 31 characters', { to: '1'.repeat(31) }, { code: 'address_invalid' }],
  ['[S5.4] a changed address', { to: `${stranger().slice(0, -1)}0` }, { code: 'address_invalid' }],
  ['0 lamports', { lamports: 0n }, { code: 'amount_invalid' }],
  ['-1 lamports', { lamports: -1n }, { code: 'amount_invalid' }],
  ['2^64 lamports', { lamports: 2n ** 64n }, { code: 'amount_invalid' }],
  [
    'a memo that is too large',
    { memo: 'x'.repeat(1200) },
    { code: 'invalid_transaction', details: { reason: /1232/ } },
  ],
])('refuses a transfer before the wallet signs: %s', async (_, input, error) => {
  const { keybay, wallet } = await rich()
  await expect(keybay.solana.send({ to: stranger(), lamports: SOL, ...input })).rejects.toMatchObject(error)
  expect(wallet.asked).toHaveLength(0)
})
it('[S8.3] Insufficient funds.: refuses a transfer without funds for amount and fee, as a failed step', async () => {
  const { keybay, wallet } = await rich()
  const steps: TransactionStep[] = []
  keybay.on('transaction:step', step => steps.push(step))
  const sent = keybay.solana.send({ to: stranger(), lamports: 10n * SOL - FEE + 1n })
  await expect(sent).rejects.toThrow(/^Insufficient funds\.$/)
  await expect(sent).rejects.toMatchObject({ details: { balance: '10000000000', needed: '10000000001', fee: '5000' } })
  expect(wallet.asked).toHaveLength(0)
  expect(steps.at(-1)).toMatchObject({ step: 'failed', error: { code: 'insufficient_funds' } })
})
it('sends the whole balance, but refuses to leave less than the rent-exempt minimum', async () => {
  const { keybay, wallet } = await rich()
  const rest = keybay.solana.send({ to: stranger(), lamports: 10n * SOL - FEE - 1n })
  await expect(rest).rejects.toMatchObject({ code: 'insufficient_funds', details: { reason: /0\.00089088 SOL/ } })
  await keybay.solana.send({ to: stranger(), lamports: 10n * SOL - FEE })
  expect(await getHeld(wallet.address)).toBe(0n)
})
it('refuses too small an amount for a new account, and names the minimum', async () => {
  const { keybay, wallet } = await rich()
  const to = stranger()
  await expect(keybay.solana.send({ to, lamports: 1n })).rejects.toThrow(
    /^The destination is a new account and must receive more: at least 0\.00089088 SOL$/,
  )
  expect(wallet.asked).toHaveLength(0)
  await keybay.solana.send({ to, lamports: 890_880n })
  expect(await getHeld(to)).toBe(890_880n)
})

describe('signing', () => {
  it('[S8.3] Account not found without a wallet, Signer not found for an address that none holds', async () => {
    const keybay = await open()
    const { send, sendTransaction, steps } = keybay.solana
    await expect(send({ to: stranger(), lamports: SOL })).rejects.toThrow(/^Account not found$/)
    const { build, sign } = await steps()
    const built = await build({ from: stranger(), to: stranger(), lamports: SOL })
    await expect(sign({ ...built, fee: FEE })).rejects.toThrow(/^Signer not found$/)
    await expect(sendTransaction(built.transaction, built)).rejects.toThrow(/^Signer not found$/)
  })
  it('[S8.3] Unsupported chain: for a wallet that does not know it, and for a network that is not there', async () => {
    const wallet = testWallet(['solana:mainnet'])
    const keybay = await open({ wallets: [wallet] })
    await keybay.solana.requestAirdrop(wallet.address, SOL)
    await expect(keybay.solana.send({ to: stranger(), lamports: 1_000_000n })).rejects.toThrow(/^Unsupported chain$/)
    expect(wallet.asked).toHaveLength(0)
    await expect(keybay.solana.network(999)).rejects.toThrow(/^Unsupported chain$/)
    const { transaction } = await (await keybay.solana.steps()).build({ to: stranger(), lamports: 1_000_000n })
    await expect(keybay.solana.sendTransaction(transaction, { networkId: 999 })).rejects.toThrow(/^Unsupported chain$/)
  })
  it('reports a refusal in the wallet as user_rejected, and sends nothing', async () => {
    const { keybay, wallet } = await rich()
    wallet.answer = () => Promise.reject(Object.assign(new Error('User rejected the request.'), { code: 4001 }))
    await expect(keybay.solana.send({ to: stranger(), lamports: SOL })).rejects.toMatchObject({ code: 'user_rejected' })
    expect(await getHeld(wallet.address)).toBe(10n * SOL)
  })
  it.each([
    ['nothing', []],
    ['no transaction', [{ signedTransaction: new Uint8Array([1, 2, 3]) }]],
  ])('[S8.3] Invalid transaction: a wallet that returns %s', async (_, answer) => {
    const { keybay, wallet } = await rich()
    wallet.answer = async () => answer
    await expect(keybay.solana.send({ to: stranger(), lamports: SOL })).rejects.toThrow(/^Invalid transaction$/)
  })
  it('refuses a transaction that the wallet returns unsigned', async () => {
    const { keybay, wallet } = await rich()
    wallet.answer = async (...inputs) => inputs.map(({ transaction }) => ({ signedTransaction: transaction }))
    await expect(keybay.solana.send({ to: stranger(), lamports: SOL })).rejects.toMatchObject({
      code: 'invalid_transaction',
      details: { reason: 'a signature is missing' },
    })
  })
  it('refuses the transaction of another account in place of the requested one, before a node gets it', async () => {
    const { keybay, wallet } = await rich()
    const other = Keypair.generate()
    wallet.answer = async (...inputs) =>
      inputs.map(({ transaction }) => {
        const changed = VersionedTransaction.deserialize(transaction)
        changed.message.staticAccountKeys[0] = other.publicKey
        changed.sign([other])
        return { signedTransaction: changed.serialize() }
      })
    const steps: TransactionStep[] = []
    const sent = keybay.solana.send({ to: stranger(), lamports: SOL, onStep: step => void steps.push(step) })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_transaction' })
    expect(steps.map(({ step }) => step)).not.toContain('signed')
  })
  it('an abort stops waiting for a wallet that does not respond', async () => {
    const { keybay, wallet } = await rich()
    const control = new AbortController()
    wallet.answer = () => {
      control.abort()
      return new Promise(() => {})
    }
    const sent = keybay.solana.send({ to: stranger(), lamports: SOL, signal: control.signal })
    await expect(sent).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('a transaction of the host', () => {
  it('[S5.6] sendTransaction needs a transaction and a connection', async () => {
    const { keybay } = await rich()
    const { transaction } = await (await keybay.solana.steps()).build({ to: stranger(), lamports: SOL })
    for (const args of [
      [undefined, keybay.solana.networks.current()],
      [transaction, undefined],
    ])
      await expect(Reflect.apply(keybay.solana.sendTransaction, undefined, args)).rejects.toThrow(
        /^A send needs a transaction and a connection$/,
      )
    const bytes = new Uint8Array(40)
    await expect(keybay.solana.sendTransaction(bytes, { networkId: 104 })).rejects.toThrow(/^Invalid transaction$/)
  })
  it('[S5.6] sendTransaction signs with the wallet and sends over the given connection', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const { transaction } = await (await keybay.solana.steps()).build({ to, lamports: SOL })
    await keybay.solana.sendTransaction(transaction, { networkId: 104 })
    expect(await getHeld(to)).toBe(SOL)
    expect(wallet.asked).toHaveLength(1)
  })
  it('sendTransaction only sends a transaction that is signed already, versioned or not', async () => {
    const { keybay } = await rich()
    const key = Keypair.generate()
    await keybay.solana.requestAirdrop(key.publicKey.toBase58(), SOL)
    const { blockhash } = await setup.connection.getLatestBlockhash()
    const to = Keypair.generate().publicKey
    const instructions = [SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey: to, lamports: 1_000_000 })]
    const message = new TransactionMessage({ payerKey: key.publicKey, recentBlockhash: blockhash, instructions })
    const bytes = signWith(key, new VersionedTransaction(message.compileToV0Message()).serialize())
    await keybay.solana.sendTransaction(bytes, { networkId: 104 })
    expect(await getHeld(to.toBase58())).toBe(1_000_000n)
  })
  it('[S8.3] Transaction failed, with the reason and the logs', async () => {
    const { keybay, wallet } = await rich()
    const { blockhash } = await setup.connection.getLatestBlockhash()
    const payerKey = new PublicKey(wallet.address)
    // Exceeds the balance; only the fee is covered.
    const instructions = [
      SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: Keypair.generate().publicKey, lamports: 11n * SOL }),
    ]
    const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
    const bytes = new VersionedTransaction(message.compileToLegacyMessage()).serialize()
    const sent = keybay.solana.sendTransaction(bytes, { networkId: 104 })
    await expect(sent).rejects.toThrow(/^Transaction failed$/)
    await expect(sent).rejects.toMatchObject({
      details: {
        reason: 'instruction 1: the account does not hold enough lamports',
        logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
      },
    })
  })
  it('[S8.3] Transaction failed: reports a transaction that landed on the chain and failed there', async () => {
    const { keybay, wallet } = await rich()
    const { blockhash, lastValidBlockHeight } = await setup.connection.getLatestBlockhash()
    const payerKey = new PublicKey(wallet.address)
    const instructions = [
      new TransactionInstruction({ programId: SystemProgram.programId, keys: [], data: Buffer.from([99, 0, 0, 0]) }),
    ]
    const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToLegacyMessage()).serialize()
    const { sign, confirm } = await keybay.solana.steps()
    const signed = await sign({ networkId: 104, from: wallet.address, transaction, lastValidBlockHeight, fee: FEE })
    await setup.connection.sendRawTransaction(signed.transaction, { skipPreflight: true })
    const confirmed = confirm(signed)
    await expect(confirmed).rejects.toThrow(/^Transaction failed$/)
    await expect(confirmed).rejects.toMatchObject({
      details: {
        signature: signed.signature,
        reason: 'instruction 1: invalid instruction data',
        logs: expect.arrayContaining([expect.stringContaining('failed: invalid instruction data')]),
      },
    })
  })
})

describe('a chain in trouble', () => {
  it('[S8.3] Transaction timed out: reports an expired blockhash, and nothing lands later', async () => {
    const { keybay, wallet } = await rich()
    wallet.answer = async (...inputs) => {
      setup.chain.advanceSlots(160) // The user took too long.
      wallet.answer = undefined
      return wallet.connector.wallet.features['solana:signTransaction']?.signTransaction(...inputs) ?? []
    }
    const sent = keybay.solana.send({ to: stranger(), lamports: SOL })
    await expect(sent).rejects.toThrow(/^Transaction timed out$/)
    await expect(sent).rejects.toMatchObject({ details: { state: 'expired' } })
    expect(await getHeld(wallet.address)).toBe(10n * SOL)
  })
  it('[S8.3] [S9.2] Transaction timed out after 60 s without a word, saying that it may still land', async () => {
    const clock = new TestClock()
    const wallet = testWallet()
    const keybay = await open({ wallets: [wallet], clock })
    const { build } = await keybay.solana.steps()
    const built = await build({ to: stranger(), lamports: SOL })
    const signature = '1'.repeat(64) // Never sent.
    const { confirm } = await keybay.solana.steps()
    const waiting = confirm({ ...built, signature, lastValidBlockHeight: undefined })
    const failed = expect(waiting).rejects.toMatchObject({
      message: 'Transaction timed out',
      details: { signature, state: expect.stringMatching(/^(dropped|unknown)$/) },
    })
    await clock.set(60_000)
    clock.move(60_000)
    await failed
    expect(clock.lengths).toEqual([180_000]) // Only the part that keeps equal transfers distinct.
  })
  it('repeats reads when the node stays busy for longer than three retries, and signs once', async () => {
    const { keybay, wallet } = await rich({ clock: fastClock(20) })
    const to = stranger()
    for (const method of ['simulateTransaction', 'getFeeForMessage'])
      setup.chain.faults.add({ type: 'error', status: 429, method, times: 10 })
    await keybay.solana.send({ to, lamports: SOL })
    expect(await getHeld(to)).toBe(SOL)
    expect(wallet.asked).toHaveLength(1)
  })
  it('a node that is down at the send does not stop the transfer: it lands once when the node is back', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    setup.chain.faults.add({ type: 'drop', method: 'sendTransaction', times: 4 })
    const steps: TransactionStep[] = []
    await keybay.solana.send({ to, lamports: SOL, onStep: step => steps.push(step) })
    expect(steps).toContainEqual(expect.objectContaining({ step: 'sent', acknowledged: false }))
    expect(await getHeld(to)).toBe(SOL)
    expect(await getHeld(wallet.address)).toBe(9n * SOL - FEE)
  })
})

describe('watching a balance', () => {
  const watched = (keybay: Host, address: string) => {
    const seen: bigint[] = []
    let wake = () => {}
    const stop = keybay.solana.watchBalance(address, balance => {
      seen.push(balance)
      wake()
    })
    closing.push(stop)
    const until = async (balance: bigint) => {
      while (!seen.includes(balance))
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
    return { seen, stop, until }
  }
  it('[S9.10] watches a balance by websocket, reconnects after 1000 ms, and closes it with the last watcher', async () => {
    const sockets = new Set<WebSocket>()
    let opened = 0
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor(url: string) {
          super(url)
          opened += 1
          sockets.add(this)
          this.once('close', () => sockets.delete(this))
        }
      },
    )
    const clock = new TestClock()
    const address = stranger()
    const keybay = await open({ clock })
    const give = async (lamports: number) =>
      setup.connection.confirmTransaction(await setup.connection.requestAirdrop(new PublicKey(address), lamports))
    const { until, stop } = watched(keybay, address)
    await until(0n)
    await clock.set(30_000) // Live.
    await give(LAMPORTS_PER_SOL)
    await until(SOL) // No time has passed, so nothing was polled.
    const body = JSON.stringify({ type: 'cut-websockets' })
    await fetch(`${setup.chain.url}/admin/faults`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    await clock.set(1000)
    await give(LAMPORTS_PER_SOL)
    clock.move(1000)
    await until(2n * SOL)
    expect(opened).toBe(2)
    const last = [...sockets][0]
    const closed = new Promise(resolve => last?.once('close', resolve))
    stop()
    await closed
    expect(sockets.size).toBe(0)
    expect(clock.lengths).toEqual([])
  })
  it('[S9.10] watches a balance by polling after five failed reconnects', async () => {
    let opened = 0
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor() {
          super('ws://127.0.0.1:9') // No server responds.
          opened += 1
        }
      },
    )
    const clock = new TestClock()
    const address = stranger()
    const keybay = await open({ clock })
    const { until } = watched(keybay, address)
    await until(0n)
    for (let turn = 0; turn < 5; turn++) await clock.pass(1000)
    await setup.connection.confirmTransaction(
      await setup.connection.requestAirdrop(new PublicKey(address), LAMPORTS_PER_SOL),
    )
    await clock.pass(5000)
    await until(SOL)
    expect(opened).toBe(6)
    expect(clock.lengths).not.toContain(1000)
  })
  it('polls a balance without websockets, and reports an error of the chain and then the balance again', async () => {
    vi.stubGlobal('WebSocket', undefined)
    const clock = new TestClock()
    const keybay = await open({ clock })
    const reports: unknown[] = []
    closing.push(
      keybay.solana.watchBalance(
        stranger(),
        () => reports.push('ok'),
        ({ code }) => reports.push(code),
      ),
    )
    await clock.set(5000)
    setup.chain.faults.add({ type: 'error', code: -32602 })
    clock.move(5000)
    await clock.set(5000)
    setup.chain.faults.clear()
    clock.move(5000)
    await clock.set(5000)
    expect(reports).toEqual(['ok', 'rpc_refused', 'ok'])
  })
})
