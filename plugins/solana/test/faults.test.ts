/**
 * Injects every fault at every step: a transfer lands exactly once, or the error truly reports its outcome. Never twice, and
 * never a success that the chain does not know.
 */
import { EventEmitter, once } from 'node:events'
import { isKeybayError } from '@keybay/kernel'
import { type Chain, type ChainNode, startChain } from '@keybay/sandbox-chain'
import { Connection, PublicKey } from '@solana/web3.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fastClock, host, SOL, setUpChain, stranger, type TestWallet, testWallet } from './support.js'

/** Clock factors: for lasting faults the kit's 60 s take 3, otherwise its 10 s per call take one. */
const [FAST, PATIENT] = [20, 10]
/** Number of concurrent transfers. */
const AT_ONCE = 24

// 150 slots exceed the kit's minute; where a blockhash must expire, a test advances the slots.
const setup = setUpChain({ slotMs: 100 })
const { closing } = setup
// Polls, except where a test is about the websocket.
beforeEach(() => void vi.stubGlobal('WebSocket', undefined))

type Fault = Parameters<ChainNode['faults']['add']>[0]
/** The kit's three retries outlast these; the others last until the end. */
const PASSES = 2
interface Case {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Adds a healthy second node. */
  readonly second?: boolean
  /** Runs alone, because it takes a blockhash from all transfers. */
  readonly alone?: boolean
}
const CASES: readonly Case[] = [
  { name: 'drop', faults: [{ type: 'drop' }] },
  { name: 'delay', faults: [{ type: 'delay', ms: 1500 }] }, // Longer than the kit waits: it is executed without a response.
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
/** Maps each emitted step to the step that begins next. */
const NEXT: Readonly<Record<string, Step>> = { built: 'fee', fee: 'sign', signed: 'send', sent: 'confirm' }

interface Outcome {
  readonly text: string
  readonly to: string
  readonly wallet: TestWallet
  /** Receiver's balance that the error, or its absence, promises; `untrue`: a claim that is not allowed. */
  readonly promised: 'all' | 'nothing' | 'either' | 'untrue'
}

async function fund(wallet: TestWallet, on = setup.connection) {
  return void (await on.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL)))
}
/** Derives the promise from the result. */
function judge(error: unknown, requestCount: number): Pick<Outcome, 'text' | 'promised'> {
  if (!isKeybayError(error)) return { text: `no error of ours: ${String(error)}`, promised: 'untrue' }
  const details = error.details
  const state = typeof details === 'object' && details !== null && 'state' in details ? String(details.state) : ''
  const open = error.code === 'transaction_timed_out' && state !== 'expired'
  const ended = ['transaction_failed', 'transaction_timed_out', 'invalid_transaction'].includes(error.code)
  // After signing, only the chain's status or a timeout is a true end.
  if (requestCount && !ended) return { text: `untrue: ${error.code}`, promised: 'untrue' }
  return {
    text: `${error.code.replace('transaction_', '')}${state && ` (${state})`}`,
    promised: open ? 'either' : 'nothing',
  }
}
/** Returns the result. */
function getEnd(sent: Promise<unknown>, { asked }: TestWallet): Promise<Pick<Outcome, 'text' | 'promised'>> {
  return sent.then(
    () => ({ text: 'landed', promised: 'all' as const }),
    (error: unknown) => judge(error, asked.length),
  )
}

async function transfer(fault: Case, at: Step, lasting: boolean): Promise<Outcome> {
  const node = await setup.chain.addNode()
  const wallet = testWallet()
  await fund(wallet)
  const to = stranger()
  const rpcUrl = fault.second ? [node.url, setup.chain.url] : [node.url]
  const keybay = await host({
    url: node.url,
    wallets: [wallet],
    clock: fastClock(lasting ? FAST : PATIENT),
    solana: { endpoints: { localnet: { rpcUrl } } },
  })
  closing.push(keybay.dispose)
  const begin = () => {
    for (const each of fault.faults) node.faults.add(lasting ? each : { ...each, times: PASSES })
    // These faults are not calls and can't count occurrences, so they end by time.
    if (!lasting) setTimeout(() => node.faults.clear(), 300)
  }
  if (at === 'build') begin()
  const onStep = ({ step }: { readonly step: string }) => {
    if (NEXT[step] === at) begin()
  }
  const end = await getEnd(keybay.solana.send({ to, lamports: SOL, onStep }), wallet)
  node.faults.clear()
  return { ...end, to, wallet }
}
/** Runs the jobs with limited concurrency. */
async function pooled(jobs: readonly (() => Promise<void>)[]) {
  const left = [...jobs]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
/** Reads the chain's state directly, once nothing can land any more. */
async function check({ to, wallet, promised, text }: Outcome, on = setup.connection) {
  const landed = await on.getSignaturesForAddress(new PublicKey(to))
  const balance = BigInt(await on.getBalance(new PublicKey(to)))
  const amounts = { all: [SOL], nothing: [0n], either: [0n, SOL], untrue: [] }
  expect(amounts[promised], text).toContain(balance)
  expect(landed.length, text).toBe(balance === SOL ? 1 : 0)
  expect(wallet.asked.length, text).toBeLessThanOrEqual(1)
}
/** Slots until finality, where a test advances the slots. */
const FINAL = 4
/** Websocket faults and their time. */
type SocketFault = 'cut' | 'cut, then refused' | 'refused'
const SOCKETS: readonly (readonly [SocketFault, readonly Step[]])[] = [
  ['cut', STEPS],
  ['cut, then refused', STEPS],
  ['refused', ['build']],
]
/** Replaces the websocket: emits the chain's subscription numbers, and the first one's close. */
function watchSockets() {
  const grants = new EventEmitter()
  let granted = 0
  const ends: Promise<number>[] = []
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string) {
        super(url)
        ends.push(new Promise(resolve => this.once('close', resolve)))
        this.on('message', data => {
          if (typeof JSON.parse(String(data)).result !== 'number') return
          granted += 1
          grants.emit(String(granted))
        })
      }
    },
  )
  return { ends, granted: (count: number) => once(grants, String(count)), count: () => granted }
}
/** Close code of a websocket that was cut. */
const CUT = 1006

/** A balance shares the websocket, so it is open at every step. */
async function overSocket(slow: Chain, how: SocketFault, at: Step): Promise<Outcome> {
  const sockets = watchSockets()
  const [ofBalance, ofSignature] = [sockets.granted(1), sockets.granted(2)]
  const wallet = testWallet()
  await fund(wallet, new Connection(slow.url, 'confirmed'))
  const to = stranger()
  const clock = fastClock(PATIENT)
  const keybay = await host({ url: slow.url, wsUrl: slow.wsUrl, wallets: [wallet], clock })
  closing.push(keybay.dispose)
  if (how === 'refused') slow.faults.add({ type: 'refuse-websockets' })
  const stop = keybay.solana.watchBalance(wallet.address, () => {})
  if (how !== 'refused') await ofBalance
  const begin = async () => {
    if (how === 'refused') return
    if (at === 'confirm') await ofSignature
    if (how === 'cut, then refused') slow.faults.add({ type: 'refuse-websockets' })
    await fetch(`${slow.url}/admin/faults`, { method: 'POST', body: JSON.stringify({ type: 'cut-websockets' }) })
  }
  let begun = at === 'build' ? begin() : undefined
  const onStep = ({ step }: { readonly step: string }) => {
    if (NEXT[step] === at) begun = begin()
    if (step === 'sent') begun = begun?.then(() => slow.advanceSlots(FINAL))
  }
  const end = await getEnd(keybay.solana.send({ to, lamports: SOL, commitment: 'finalized', onStep }), wallet)
  await begun
  const [first] = sockets.ends
  if (how !== 'refused') expect(await first, `${how} at ${at}`).toBe(CUT)
  else expect([sockets.ends.length > 0, sockets.count()]).toEqual([true, 0])
  stop()
  slow.faults.clear()
  return { ...end, to, wallet }
}

// Runs hundreds of transfers, so the timeout allows for a busy machine.
describe('a failing node', { timeout: 120_000 }, () => {
  it('[S4.5] [S1.18] a node fault at any step, brief or lasting: the transfer lands once or fails with a true error', async () => {
    const jobs = CASES.flatMap(fault => STEPS.flatMap(step => [false, true].map(lasting => ({ fault, step, lasting }))))
    const outcomes: Outcome[] = []
    for (const alone of [false, true])
      await pooled(
        [...jobs.entries()].flatMap(([index, { fault, step, lasting }]) => {
          if ((fault.alone ?? false) !== alone) return []
          return async () => {
            outcomes[index] = await transfer(fault, step, lasting)
          }
        }),
      )
    setup.chain.advanceSlots(160)
    for (const outcome of outcomes) await check(outcome)
    // Temporary faults prevent no transfer, except for a blockhash that was never valid.
    const moment = outcomes.filter((_, index) => !jobs[index]?.lasting && jobs[index]?.fault.name !== 'stale blockhash')
    expect(moment.map(({ text }) => text)).toEqual(moment.map(() => 'landed'))
  })
  it('[S9.10] a transfer lands once when its websocket is cut at any step, briefly or for good, or refused', async () => {
    // Advances no slots by itself, so nothing becomes final and is reported before the cut.
    const slow = await startChain({ port: 0, slotMs: 0, finalitySlots: FINAL })
    const main = new Connection(slow.url, 'confirmed')
    const rows: string[][] = []
    for (const [how, steps] of SOCKETS) {
      const row: string[] = [how]
      for (const at of steps) {
        const outcome = await overSocket(slow, how, at)
        slow.advanceSlots(160)
        await check(outcome, main)
        row.push(outcome.text)
      }
      rows.push(row)
    }
    await slow.stop()
    expect(rows.map(([, ...texts]) => texts)).toEqual(SOCKETS.map(([, steps]) => steps.map(() => 'landed')))
  })
  it('a finalized send on an abandoned fork lands once or is reported as expired', async () => {
    // Advances one slot per poll, so a transaction on the fork never becomes final there, even on a slow machine.
    const forking = await startChain({ port: 0, slotMs: 0, finalitySlots: FINAL })
    const main = new Connection(forking.url, 'confirmed')
    const rows: string[][] = []
    for (const at of STEPS) {
      const wallet = testWallet()
      await fund(wallet, main)
      const to = stranger()
      const keybay = await host({ url: forking.url, wallets: [wallet], clock: fastClock(PATIENT) })
      let vanished: readonly string[] | undefined
      const real = fetch
      const looking: typeof fetch = async (url, init) => {
        if (JSON.parse(String(init?.body)).method !== 'getSignatureStatuses') return real(url, init)
        forking.advanceSlots(1)
        const response = await real(url, init)
        const { result } = await response.clone().json()
        // The transaction was executed on the fork, and the kit is about to receive its status.
        if (result.value[0] && !vanished) {
          vanished = forking.fork.abandon()
          if (at === 'build') forking.advanceSlots(160) // Its blockhash was also created on the fork.
        }
        return response
      }
      vi.stubGlobal('fetch', looking)
      const begin = () => void forking.fork.begin()
      if (at === 'build') begin()
      // Only a transaction that is resent during confirmation can run on a fork that begins then.
      if (at === 'confirm') forking.faults.add({ type: 'lose', times: 1 })
      const onStep = ({ step }: { readonly step: string }) => {
        if (NEXT[step] === at) begin()
      }
      const sent = keybay.solana.send({ to, lamports: SOL, commitment: 'finalized', onStep })
      const end = await getEnd(sent, wallet)
      vi.stubGlobal('fetch', real)
      keybay.dispose()
      expect(vanished, at).toHaveLength(1)
      expect(wallet.asked).toHaveLength(1)
      forking.advanceSlots(160)
      await check({ ...end, to, wallet }, main)
      rows.push([at, end.text])
    }
    await forking.stop()
    expect(rows).toEqual(STEPS.map(at => [at, at === 'build' ? 'timed_out (expired)' : 'landed']))
  })
  it('lands each of 100 transfers once on a chain where every fifth call fails', async () => {
    const node = await setup.chain.addNode()
    const shares: readonly Fault[] = [
      { type: 'drop', share: 0.05 },
      { type: 'error', status: 500, share: 0.045 },
      { type: 'error', status: 429, share: 0.045 },
      { type: 'malformed', share: 0.045 },
      { type: 'delay', ms: 50, share: 0.015 },
      { type: 'lose', share: 0.2 },
    ]
    const senders = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const wallet = testWallet()
        await fund(wallet)
        const keybay = await host({ url: node.url, wallets: [wallet], clock: fastClock(PATIENT) })
        closing.push(keybay.dispose)
        return { keybay, wallet, to: stranger() }
      }),
    )
    for (const fault of shares) node.faults.add(fault)
    await Promise.all(
      senders.map(async ({ keybay, to }) => {
        for (let turn = 0; turn < 5; turn++) await keybay.solana.send({ to, lamports: SOL })
      }),
    )
    node.faults.clear()
    for (const { wallet, to } of senders) {
      expect(BigInt(await setup.connection.getBalance(new PublicKey(to)))).toBe(5n * SOL)
      expect(await setup.connection.getSignaturesForAddress(new PublicKey(to))).toHaveLength(5)
      expect(wallet.asked).toHaveLength(5)
    }
  })
})
