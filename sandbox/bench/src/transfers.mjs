/** Measures SOL transfers by each kit: cost, duration, and how many land on a faulty node. */
import { startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { WebSocket } from 'ws'
import { countingProxy, getCost, measureOne } from './counting-proxy.mjs'
import { measureKinds } from './transfer-kinds.mjs'
import { kits } from './transfer-kits.mjs'

/**
 * @typedef {object} Landing
 * @property {number} asked
 * @property {number} landed
 * @property {number} twice Receivers that got more than was sent.
 * @property {number} untrue Said to be confirmed, and not there.
 * @property {Readonly<Record<string, number>>} missed How those ended that never landed, by the kit's own name for it.
 *
 * @typedef {import('./counting-proxy.mjs').Cost & { name: string, landing: Readonly<Partial<Record<number, Landing>>> }} KitFigures
 *   `landing` is by the share of calls that go wrong, per cent.
 *
 * @typedef {object} TransferFigures
 * @property {readonly KitFigures[]} kits
 * @property {readonly import('./transfer-kinds.mjs').KindCost[]} kinds Of Keybay, what each kind of transfer costs.
 * @property {Landing & { seconds: number }} thousand Keybay's, with a fifth of the calls going wrong.
 */

/** A blockhash lives 30 s, half as long as on mainnet. */
const SLOT_MS = 200
const LAMPORTS = 1_000_000n
/** Percentages of calls that fail. */
export const LEVELS = /** @type {const} */ ([0, 5, 20])
const [AT_ONCE, MANY_AT_ONCE] = [10, 100]
/** Timeout of one transfer: slightly longer than a blockhash lives. */
const TIMEOUT_MS = 35_000
/**
 * Values for many concurrent transfers on a busy machine: a blockhash lives as long as on mainnet, and Keybay's own
 * timeout of one minute ends the transfer.
 */
const [MANY_SLOT_MS, MANY_PATIENCE_MS] = [400, 80_000]
/** Fault types and their shares of all faults. */
const FAULTS = /** @type {const} */ ([
  [{ type: 'drop' }, 0.25],
  [{ type: 'error', status: 500 }, 0.25],
  [{ type: 'error', status: 429 }, 0.25],
  [{ type: 'malformed' }, 0.25],
])

/** @param {import('@keybay/sandbox-chain').Chain} chain @param {string} address */
function fund(chain, address) {
  return new Connection(chain.url).requestAirdrop(new PublicKey(address), 100e9)
}

/** @template T @param {readonly (() => Promise<T>)[]} jobs @param {number} atOnce */
async function pooled(jobs, atOnce) {
  const left = [...jobs]
  /** @type {T[]} */
  const done = []
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) done.push(await next())
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return done
}

const CONFIRMED = 'confirmed'
/** @param {unknown} error @returns {string} */
function getName(error) {
  const { code, name, details } = Object(error)
  const state = Object(details).state
  return `${code ?? name}${state ? ` (${state})` : ''}`
}
/**
 * @param {Promise<unknown>} sent
 * @param {number} patienceMs
 * @returns {Promise<string>} the kit's outcome: `confirmed`, or how the transfer failed
 */
function getEnd(sent, patienceMs) {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve('no answer'), patienceMs)
    sent
      .then(
        () => resolve(CONFIRMED),
        error => resolve(getName(error)),
      )
      .finally(() => clearTimeout(timer))
  })
}

/**
 * @param {import('@keybay/sandbox-chain').Chain} chain
 * @param {import('./transfer-kits.mjs').Kit} kit
 * @param {number} percent
 * @param {number} count
 * @param {{ atOnce?: number, patienceMs?: number }} [how] `atOnce`: number of concurrent senders
 * @returns {Promise<Landing>}
 */
async function measureLanding(chain, kit, percent, count, { atOnce = AT_ONCE, patienceMs = TIMEOUT_MS } = {}) {
  const node = await chain.addNode()
  const senders = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const sender = await kit.open({ url: node.url, wsUrl: chain.wsUrl })
      await fund(chain, sender.address)
      return sender
    }),
  )
  // Each fault applies only to calls that earlier faults left alone, so its share grows.
  let rest = 1
  for (const [fault, part] of FAULTS) {
    const chance = (percent / 100) * part
    if (chance) node.faults.add({ ...fault, share: chance / rest })
    rest -= chance
  }
  if (percent) node.faults.add({ type: 'lose', share: percent / 100 })
  const receivers = Array.from({ length: count }, () => Keypair.generate().publicKey.toBase58())
  const left = [...receivers]
  /** @type {Map<string, string>} */
  const said = new Map()
  await pooled(
    senders.map(sender => async () => {
      for (let to = left.shift(); to; to = left.shift())
        said.set(to, await getEnd(sender.send(to, LAMPORTS), patienceMs))
    }),
    atOnce,
  )
  node.faults.clear()
  for (const sender of senders) sender.close()
  chain.advanceSlots(160) // no pending transfer can land any more
  const connection = new Connection(chain.url)
  const balances = await pooled(
    receivers.map(to => async () => ({ to, lamports: BigInt(await connection.getBalance(new PublicKey(to))) })),
    AT_ONCE,
  )
  const landedCount = balances.filter(({ lamports }) => lamports >= LAMPORTS).length
  /** @type {Record<string, number>} */
  const missed = {}
  for (const { to, lamports } of balances) {
    const end = said.get(to) ?? 'not begun'
    if (lamports < LAMPORTS) missed[end] = (missed[end] ?? 0) + 1
  }
  return {
    asked: count,
    landed: landedCount,
    twice: balances.filter(({ lamports }) => lamports > LAMPORTS).length,
    untrue: missed[CONFIRMED] ?? 0,
    missed,
  }
}

/**
 * Runs all kits in turns, so that other work on the machine affects all alike.
 * @param {import('@keybay/sandbox-chain').Chain} chain
 * @param {readonly import('./transfer-kits.mjs').Kit[]} all
 * @param {number} turns
 */
async function measureCost(chain, all, turns) {
  const sides = []
  for (const kit of all) {
    const proxy = await countingProxy(chain)
    const sender = await kit.open(proxy)
    await fund(chain, sender.address)
    await sender.send(Keypair.generate().publicKey.toBase58(), LAMPORTS) // code is loaded and connections are open
    /** @type {import('./counting-proxy.mjs').Transfer[]} */
    const measured = []
    sides.push({ name: kit.name, proxy, sender, measured })
  }
  for (let turn = 0; turn < turns; turn++)
    for (const { proxy, sender, measured } of sides)
      measured.push(
        await measureOne(proxy.counts, () => sender.send(Keypair.generate().publicKey.toBase58(), LAMPORTS)),
      )
  for (const { proxy, sender } of sides) {
    sender.close()
    proxy.close()
  }
  return sides.map(({ name, measured }) => ({ name, ...getCost(measured) }))
}

/**
 * Runs work on a chain of its own.
 * @template T
 * @param {number} slotMs
 * @param {(chain: import('@keybay/sandbox-chain').Chain) => Promise<T>} work
 */
async function onChain(slotMs, work) {
  const chain = await startChain({ slotMs })
  try {
    return await work(chain)
  } finally {
    await chain.stop()
  }
}

/** @param {import('./transfer-kits.mjs').Kit} kit @param {number} count @param {number} slotMs */
function measureMany(kit, count, slotMs) {
  return onChain(slotMs, async chain => {
    const started = performance.now()
    const landing = await measureLanding(chain, kit, 20, count, { atOnce: MANY_AT_ONCE, patienceMs: MANY_PATIENCE_MS })
    return { ...landing, seconds: (performance.now() - started) / 1000 }
  })
}

/**
 * All levels of all kits at the same time, because their transfers mostly wait: a lost one for as long as a blockhash lives.
 * @param {readonly import('./transfer-kits.mjs').Kit[]} all
 * @param {number} transfers
 */
function measureLandings(all, transfers) {
  const measure = (/** @type {import('./transfer-kits.mjs').Kit} */ kit) =>
    LEVELS.map(percent => onChain(SLOT_MS, chain => measureLanding(chain, kit, percent, transfers)))
  return Promise.all(all.map(kit => Promise.all(measure(kit))))
}

/** Silences what peers emit when their calls fail: unhandled rejections, and a log line per retry. */
function hushPeers() {
  const { error } = console
  const ignore = () => {}
  console.error = ignore
  process.on('unhandledRejection', ignore)
  return () => {
    console.error = error
    process.off('unhandledRejection', ignore)
  }
}

/**
 * @param {{ transfers: number, thousand: number, transferTurns: number, together: boolean }} options `transfers` per kit
 *   and level; `together`: the many transfers are few enough to run beside those, on a chain as fast
 * @returns {Promise<TransferFigures>}
 */
export async function measureTransfers({ transfers, thousand, transferTurns, together }) {
  const quiet = hushPeers()
  // Node 20 has no WebSocket; browsers do.
  if (!Reflect.has(globalThis, 'WebSocket')) Object.assign(globalThis, { WebSocket })
  try {
    const all = await kits()
    const [keybayKit] = all
    if (!keybayKit) throw new Error('there is no kit')
    const { costs, kinds } = await onChain(SLOT_MS, async chain => ({
      costs: await measureCost(chain, all, transferTurns),
      kinds: await measureKinds(chain, keybayKit, transferTurns),
    }))
    const landing = measureLandings(all, transfers)
    if (!together) await landing
    const slotMs = together ? SLOT_MS : MANY_SLOT_MS
    const [landings, many] = await Promise.all([landing, measureMany(keybayKit, thousand, slotMs)])
    const figures = costs.map((cost, index) => ({
      ...cost,
      landing: Object.fromEntries(LEVELS.map((percent, level) => [percent, landings[index]?.[level]])),
    }))
    return { kits: figures, kinds, thousand: many }
  } finally {
    quiet()
  }
}
