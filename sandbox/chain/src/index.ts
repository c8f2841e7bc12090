/** The chain: Solana JSON-RPC and websocket over a Solana VM. Begin reading here: {@link startChain} puts the parts together. */

import { createServer, type Server } from 'node:http'
import { aloneIn, type Clock, MovableClock } from '@keybay/sandbox-service'
import { Admin } from './admin.js'
import { LAMPORTS_PER_SOL } from './faucet.js'
import { Faults } from './faults.js'
import { Fork } from './fork.js'
import { createHttpServer } from './http.js'
import { listen, listenBoth, shutDown } from './listen.js'
import type { RpcContext } from './rpc/context.js'
import { loadSnapshot, SnapshotWriter, setAside } from './snapshot.js'
import { ChainState, type SavedState, type StateOptions } from './state.js'
import { WebSockets } from './ws.js'

export type { Clock } from '@keybay/sandbox-service'
export { FAUCET_ADDRESS } from './faucet.js'
export { PortTakenError } from './listen.js'

export interface ChainOptions {
  /** 0, the default, takes any free pair of ports. */
  readonly port?: number
  /** Default: the port after the HTTP port, where web3.js looks for it. */
  readonly wsPort?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Where the snapshot lives; without it nothing is kept. */
  readonly dataDir?: string
  /** ms of a slot, 400 by default; 0 makes slots only on `advanceSlots` and the admin endpoints. */
  readonly slotMs?: number
  readonly clock?: Clock
  /** Transactions that are remembered, 100,000 by default. */
  readonly historyLimit?: number
  /** Slots until a confirmed transaction is finalized; 0 by default: at once. */
  readonly finalitySlots?: number
  /** Largest airdrop in SOL, 1,000 by default. */
  readonly maxAirdropSol?: number
  /** ms between snapshots while something changes, 2,000 by default. */
  readonly snapshotMs?: number
  /** 0 to below 1, for faults that meet only a share of the calls. Default Math.random. */
  readonly random?: () => number
  /** Where messages about a snapshot set aside go; console.warn by default. */
  readonly warn?: (message: string) => void
}

export interface ChainNode {
  readonly url: string
  readonly faults: Faults
}

export interface Chain {
  /** e.g. `http://127.0.0.1:8899` */
  readonly url: string
  /** e.g. `ws://127.0.0.1:8900` */
  readonly wsUrl: string
  readonly port: number
  readonly wsPort: number
  readonly faults: Faults
  /** One more node of the same chain, with faults of its own: HTTP alone. It ends with the chain. */
  addNode(): Promise<ChainNode>
  /** Another branch, for tests: see `/admin/fork`. */
  readonly fork: Fork
  /** Makes `count` slots at once: 151 of them expire a blockhash. */
  advanceSlots(count: number): void
  /** Writes the snapshot now. Nothing without a data folder. */
  save(): Promise<void>
  /** Writes the snapshot and closes everything. */
  stop(): Promise<void>
}

/**
 * Starts a chain.
 *
 * @throws PortTakenError when a port is in use; Error that names the folder when another process has it
 * @example
 * const chain = await startChain({ port: 8899, dataDir: '.keybay/chain' })
 * const connection = new Connection(chain.url)
 * await chain.stop()
 */
export function startChain(options: ChainOptions = {}): Promise<Chain> {
  return aloneIn(options.dataDir, () => start(options))
}

async function start(options: ChainOptions): Promise<Chain> {
  const { dataDir, warn = console.warn } = options
  const clock = new MovableClock(options.clock)
  const state = await openState(options, clock, warn)
  const faults = new Faults(options.random)
  const context: RpcContext = { state, faults, maxAirdrop: (options.maxAirdropSol ?? 1_000) * LAMPORTS_PER_SOL }
  const sockets = new WebSockets(context)
  const writer = dataDir === undefined ? undefined : new SnapshotWriter(dataDir)
  const save = async () => {
    state.dirty = false
    await writer?.save(state)
  }
  const fork = new Fork(state)
  const admin = new Admin({ state, clock, faults, fork, cutWebSockets: () => sockets.cut(), save })
  const http = createHttpServer(context, admin)
  const wsServer = createServer((_, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  sockets.attach(http)
  sockets.attach(wsServer)
  const host = options.host ?? '127.0.0.1'
  const ports = await listenBoth(http, wsServer, { host, port: options.port ?? 0, wsPort: options.wsPort })

  const timers: NodeJS.Timeout[] = []
  if (state.options.slotMs > 0) {
    const tick = () => {
      if (!faults.has('pause-slots')) state.advance()
      writer?.prepare(state)
    }
    timers.push(setInterval(tick, state.options.slotMs))
  }
  if (writer) {
    const saveIfDirty = () => {
      if (state.dirty) save().catch(error => warn(`chain: the snapshot could not be written: ${String(error)}`))
    }
    timers.push(setInterval(saveIfDirty, options.snapshotMs ?? 2_000))
  }

  const nodes: Server[] = []
  const addNode = async (): Promise<ChainNode> => {
    const own = new Faults(options.random)
    const server = createHttpServer({ ...context, faults: own }, admin)
    nodes.push(server)
    return { url: `http://${host}:${await listen(server, 0, host, 'HTTP')}`, faults: own }
  }

  return {
    url: `http://${host}:${ports.port}`,
    wsUrl: `ws://${host}:${ports.wsPort}`,
    ...ports,
    faults,
    addNode,
    fork,
    advanceSlots: count => state.advance(count),
    save,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      sockets.cut()
      await Promise.all([http, wsServer, ...nodes].map(shutDown))
      await save()
    },
  }
}

async function openState(
  { dataDir, slotMs = 400, historyLimit = 100_000, finalitySlots = 0 }: ChainOptions,
  clock: MovableClock,
  warn: (message: string) => void,
): Promise<ChainState> {
  const stateOptions: StateOptions = { clock, slotMs, historyLimit, finalitySlots }
  const saved: SavedState | undefined = dataDir === undefined ? undefined : await loadSnapshot(dataDir, warn)
  if (!saved || dataDir === undefined) return new ChainState(stateOptions)
  try {
    return new ChainState(stateOptions, saved)
  } catch (error) {
    await setAside(dataDir, error instanceof Error ? error.message : String(error), warn)
    return new ChainState(stateOptions)
  }
}
