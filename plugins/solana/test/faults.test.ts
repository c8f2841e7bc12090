/**
 * Every fault at every step: a transfer lands exactly once, or the error says truly what became of it. Never twice, and
 * never a success that the chain knows nothing of. The matrix is printed.
 */

import { isKeybayError } from '@keybay/kernel'
import { type Chain, type ChainNode, startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fastClock } from './fast-clock.js'
import { host, type TestWallet, testWallet } from './support.js'

const SOL = 1_000_000_000n
/** Of the kit's time: where nothing gets better its 60 s are 3, else its 10 s for a call are one. */
const [FAST, PATIENT] = [20, 10]
/** Transfers under way at once. */
const AT_ONCE = 24

let chain: Chain
let connection: Connection
const closing: (() => unknown)[] = []
beforeAll(async () => {
  // 150 slots outlive the kit's minute; where a blockhash is to expire, a test makes the slots.
  chain = await startChain({ port: 0, slotMs: 100 })
  connection = new Connection(chain.url, 'confirmed')
})
afterAll(() => chain.stop())
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  vi.unstubAllGlobals()
})

type Fault = Parameters<ChainNode['faults']['add']>[0]
/** The kit's three tries more pass these; the others last until the end. */
const PASSES = 2
interface Case {
  readonly name: string
  readonly faults: readonly Fault[]
  /** A healthy node stands beside. */
  readonly second?: boolean
  /** It takes a blockhash from everyone: not beside the others. */
  readonly alone?: boolean
}
const CASES: readonly Case[] = [
  { name: 'drop', faults: [{ type: 'drop' }] },
  { name: 'delay', faults: [{ type: 'delay', ms: 1500 }] }, // longer than the kit waits: it runs, and nobody hears
  { name: '429', faults: [{ type: 'error', status: 429 }] },
  { name: '500', faults: [{ type: 'error', status: 500 }] },
  { name: 'malformed', faults: [{ type: 'malformed' }] },
  { name: 'stale blockhash', faults: [{ type: 'stale-blockhash' }], alone: true },
  { name: 'node behind', faults: [{ type: 'behind', slots: 42 }] },
  { name: 'old node', faults: [{ type: 'old-node' }] },
  { name: 'taken and lost', faults: [{ type: 'lose' }] },
  { name: 'forgets', faults: [{ type: 'forget' }] },
  { name: 'one of two down', faults: [{ type: 'drop' }], second: true },
  { name: 'two that disagree', faults: [{ type: 'forget' }, { type: 'lose' }], second: true },
]
const STEPS = ['build', 'fee', 'sign', 'send', 'confirm'] as const
type Step = (typeof STEPS)[number]
/** The step that begins when one is told. */
const NEXT: Readonly<Record<string, Step>> = { built: 'fee', fee: 'sign', signed: 'send', sent: 'confirm' }

interface Outcome {
  readonly text: string
  readonly to: string
  readonly wallet: TestWallet
  /** What the error, or its absence, promises of the receiver's balance. */
  readonly promised: 'all' | 'nothing' | 'either'
}
const fund = async (wallet: TestWallet) =>
  void (await connection.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL)))

/** What was promised by how it ended. */
const judge = (error: unknown, asked: number): Pick<Outcome, 'text' | 'promised'> => {
  if (!isKeybayError(error)) return { text: `no error of ours: ${String(error)}`, promised: 'nothing' }
  const details = error.details
  const state = typeof details === 'object' && details !== null && 'state' in details ? String(details.state) : ''
  const open = error.code === 'transaction_timed_out' && state !== 'expired'
  const ended = ['transaction_failed', 'transaction_timed_out', 'invalid_transaction'].includes(error.code)
  // After the signature only the chain's own word, or its silence, is a true end.
  if (asked && !ended) return { text: `untrue: ${error.code}`, promised: 'nothing' }
  return {
    text: `${error.code.replace('transaction_', '')}${state && ` (${state})`}`,
    promised: open ? 'either' : 'nothing',
  }
}

const transfer = async (one: Case, at: Step, lasting: boolean): Promise<Outcome> => {
  const node = await chain.addNode()
  const wallet = testWallet()
  await fund(wallet)
  const to = Keypair.generate().publicKey.toBase58()
  const rpcUrl = one.second ? [node.url, chain.url] : [node.url]
  const keybay = await host({
    url: node.url,
    wallets: [wallet],
    clock: fastClock(lasting ? FAST : PATIENT),
    solana: { endpoints: { localnet: { rpcUrl } } },
  })
  closing.push(keybay.dispose)
  const begin = () => {
    for (const fault of one.faults) node.faults.add(lasting ? fault : { ...fault, times: PASSES })
    // What is no call cannot count how often it happened.
    if (!lasting) setTimeout(() => node.faults.clear(), 300)
  }
  if (at === 'build') begin()
  const onStep = ({ step }: { readonly step: string }) => {
    if (NEXT[step] === at) begin()
  }
  const told = await keybay.solana.send({ to, lamports: SOL, onStep }).then(
    () => ({ text: 'landed', promised: 'all' as const }),
    (error: unknown) => judge(error, wallet.asked.length),
  )
  node.faults.clear()
  return { ...told, to, wallet }
}

/** Runs them, so many at once. */
const pooled = async (jobs: readonly (() => Promise<void>)[]) => {
  const left = [...jobs]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** @param rows of cells, the first of them the head */
const print = (rows: readonly (readonly string[])[]) => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  console.info(rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n'))
}

/** What the chain has, asked of it directly once nothing can land any more. */
const check = async ({ to, wallet, promised, text }: Outcome) => {
  const landed = await connection.getSignaturesForAddress(new PublicKey(to))
  const balance = BigInt(await connection.getBalance(new PublicKey(to)))
  const amounts = { all: [SOL], nothing: [0n], either: [0n, SOL] }
  expect(amounts[promised], text).toContain(balance)
  expect(landed.length, text).toBe(balance === SOL ? 1 : 0)
  expect(wallet.asked.length, text).toBeLessThanOrEqual(1)
}

// Hundreds of transfers: with patience for a machine that does other things too.
describe('a node that goes bad', { timeout: 120_000 }, () => {
  it('[S4.5] [S1.18] at every step, for a moment and for good: landed exactly once or a true error', async () => {
    const jobs = CASES.flatMap(one => STEPS.flatMap(step => [false, true].map(lasting => ({ one, step, lasting }))))
    const outcomes: Outcome[] = []
    for (const alone of [false, true])
      await pooled(
        [...jobs.entries()].flatMap(([index, { one, step, lasting }]) => {
          if ((one.alone ?? false) !== alone) return []
          return async () => {
            outcomes[index] = await transfer(one, step, lasting)
          }
        }),
      )
    chain.advanceSlots(160)
    for (const outcome of outcomes) await check(outcome)
    const rows = [false, true].flatMap(lasting =>
      CASES.map(one => [
        `${one.name}, ${lasting ? 'for good' : 'for a moment'}`,
        ...STEPS.map(step => {
          const index = jobs.findIndex(job => job.one === one && job.step === step && job.lasting === lasting)
          return outcomes[index]?.text ?? ''
        }),
      ]),
    )
    print([['goes bad at', ...STEPS], ...rows])
    // What passes keeps no transfer from landing, but for a blockhash that was never good.
    const moment = outcomes.filter((_, index) => !jobs[index]?.lasting && jobs[index]?.one.name !== 'stale blockhash')
    expect(moment.map(({ text }) => text)).toEqual(moment.map(() => 'landed'))
  })
  it('[S9.10] a websocket that is cut at any step, or refused: polling goes on, and it lands once', async () => {
    vi.stubGlobal('WebSocket', WebSocket)
    const cut = () =>
      fetch(`${chain.url}/admin/faults`, { method: 'POST', body: JSON.stringify({ type: 'cut-websockets' }) })
    const outcomes: Outcome[] = []
    for (const refused of [false, true]) {
      if (refused) chain.faults.add({ type: 'refuse-websockets' })
      for (const at of STEPS) {
        const wallet = testWallet()
        await fund(wallet)
        const to = Keypair.generate().publicKey.toBase58()
        const clock = fastClock(PATIENT)
        const keybay = await host({ url: chain.url, wsUrl: chain.wsUrl, wallets: [wallet], clock })
        closing.push(keybay.dispose)
        const onStep = ({ step }: { readonly step: string }) => void (NEXT[step] === at && cut())
        await keybay.solana.send({ to, lamports: SOL, onStep })
        outcomes.push({ to, wallet, text: at, promised: 'all' })
      }
    }
    chain.faults.clear()
    chain.advanceSlots(160)
    for (const outcome of outcomes) await check(outcome)
  })
  it('a fork that is abandoned under it: asked for finality, it lands once or is told as expired', async () => {
    const forking = await startChain({ port: 0, slotMs: 20, finalitySlots: 8 })
    const main = new Connection(forking.url, 'confirmed')
    const rows: string[][] = []
    for (const at of STEPS.slice(0, 4)) {
      const wallet = testWallet()
      await main.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL))
      const to = Keypair.generate().publicKey.toBase58()
      const keybay = await host({ url: forking.url, wallets: [wallet], clock: fastClock(PATIENT) })
      const begin = () => void forking.fork.begin()
      if (at === 'build') begin()
      const sent = keybay.solana.send({
        to,
        lamports: SOL,
        commitment: 'finalized',
        onStep({ step }) {
          if (NEXT[step] === at) begin()
          if (step !== 'sent') return
          forking.fork.abandon() // it had run there
          if (at === 'build') forking.advanceSlots(160) // and its blockhash had been made there
        },
      })
      const text = await sent.then(
        () => 'landed',
        (error: unknown) => judge(error, wallet.asked.length).text,
      )
      forking.advanceSlots(160)
      rows.push([at, text])
      expect(BigInt(await main.getBalance(new PublicKey(to)))).toBe(text === 'landed' ? SOL : 0n)
      expect(await main.getSignaturesForAddress(new PublicKey(to))).toHaveLength(text === 'landed' ? 1 : 0)
      expect(wallet.asked).toHaveLength(1)
      keybay.dispose()
    }
    await forking.stop()
    print([['the fork begins at', 'and is abandoned'], ...rows])
    expect(rows).toEqual([['build', 'timed_out (expired)'], ...STEPS.slice(1, 4).map(step => [step, 'landed'])])
  })
  it('a chain on which every fifth call goes wrong: a hundred transfers, all landed, each once', async () => {
    const node = await chain.addNode()
    const shares: readonly Fault[] = [
      { type: 'drop', share: 0.05 },
      { type: 'error', status: 500, share: 0.045 },
      { type: 'error', status: 429, share: 0.045 },
      { type: 'malformed', share: 0.045 },
      { type: 'delay', ms: 50, share: 0.015 },
      { type: 'lose', share: 0.2 },
    ]
    const people = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const wallet = testWallet()
        await fund(wallet)
        const keybay = await host({ url: node.url, wallets: [wallet], clock: fastClock(PATIENT) })
        closing.push(keybay.dispose)
        return { keybay, wallet, to: Keypair.generate().publicKey.toBase58() }
      }),
    )
    for (const fault of shares) node.faults.add(fault)
    await Promise.all(
      people.map(async ({ keybay, to }) => {
        for (let turn = 0; turn < 5; turn++) await keybay.solana.send({ to, lamports: SOL })
      }),
    )
    node.faults.clear()
    for (const { wallet, to } of people) {
      expect(BigInt(await connection.getBalance(new PublicKey(to)))).toBe(5n * SOL)
      expect(await connection.getSignaturesForAddress(new PublicKey(to))).toHaveLength(5)
      expect(wallet.asked).toHaveLength(5)
    }
  })
})
