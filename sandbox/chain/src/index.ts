/** Solana JSON-RPC and websocket over a Solana VM. Start reading here: {@link startChain} assembles the parts. */
import { createServer, type Server } from 'node:http'
import { aloneIn, closeServer, listen, type MovableClock } from '@keybay/sandbox-service'
import {
  defineService,
  type Service,
  type ServiceOptions,
  type ServiceParts,
  type ServicePlace,
} from '@keybay/sandbox-service/define-service'
import { Admin } from './admin.js'
import { LAMPORTS_PER_SOL } from './faucet.js'
import { Faults } from './faults.js'
import { Fork } from './fork.js'
import { createHttpServer } from './http.js'
import { listenBoth } from './listen.js'
import type { RpcContext } from './rpc/context.js'
import { loadSnapshot, SnapshotWriter, setAside } from './snapshot.js'
import { ChainState, type SavedState, type StateOptions } from './state.js'
import { WebSockets } from './ws.js'

export { type Clock, PortTakenError } from '@keybay/sandbox-service'
export { FAUCET_ADDRESS } from './faucet.js'

/** Time that running calls get to finish on shutdown, in ms. */
const GRACE_MS = 1_000

/** Options of the chain. `port` 0, the default, picks a free pair of ports. Without `dataDir` nothing is stored. */
export interface ChainOptions extends Pick<ServiceOptions, 'port' | 'host' | 'dataDir' | 'clock'> {
  /** Default: the port after the HTTP port, which is web3.js's default. */
  readonly wsPort?: number
  /** Slot duration in ms, 400 by default; 0 creates slots only on `advanceSlots` and the admin endpoints. */
  readonly slotMs?: number
  /** Number of transactions to keep, 100,000 by default. */
  readonly historyLimit?: number
  /** Slots until a confirmed transaction is finalized; 0 by default: immediately. */
  readonly finalitySlots?: number
  /** Largest airdrop in SOL, 1,000 by default. */
  readonly maxAirdropSol?: number
  /** Interval between snapshots while state changes, in ms, 2,000 by default. */
  readonly snapshotMs?: number
  /** Returns 0 to below 1, for faults that affect only some calls. Default Math.random. */
  readonly random?: () => number
  /** Receives messages about a snapshot that was set aside; console.warn by default. */
  readonly warn?: (message: string) => void
}

export interface ChainNode {
  readonly url: string
  readonly faults: Faults
}

interface ChainFacts {
  /** e.g. `http://127.0.0.1:8899` */
  readonly url: string
  /** e.g. `ws://127.0.0.1:8900` */
  readonly wsUrl: string
  readonly wsPort: number
  readonly faults: Faults
  /** Adds a node of the same chain, HTTP only, with its own faults. It stops with the chain. */
  addNode(): Promise<ChainNode>
  /** Fork control for tests: see `/admin/fork`. */
  readonly fork: Fork
  /** Creates `count` slots at once: 151 of them expire a blockhash. */
  advanceSlots(count: number): void
  /** Writes the snapshot now. Does nothing without a data folder. */
  save(): Promise<void>
}

/** A running chain. `stop` also writes the snapshot. */
export interface Chain extends Service, ChainFacts {}

/**
 * Starts a chain.
 * @throws PortTakenError when a port is in use; Error that names the folder when another process uses it
 * @example
 * const chain = await startChain({ port: 8899, dataDir: '.keybay/chain' })
 * const connection = new Connection(chain.url)
 * await chain.stop()
 */
export function startChain(options: ChainOptions = {}): Promise<Chain> {
  return aloneIn(options.dataDir, () => start({ ...options, mode: 'sandbox' }))
}

const start = defineService<ChainOptions & ServiceOptions, ChainFacts>({ name: 'chain', graceMs: GRACE_MS, create })

async function create({ options, clock, onStop }: ServiceParts<ChainOptions & ServiceOptions>) {
  const { dataDir, host = '127.0.0.1', warn = console.warn } = options
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
  const server = createHttpServer(context, admin)
  const wsServer = createServer((_, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  sockets.attach(server)
  sockets.attach(wsServer)
  let wsPort = 0
  let isRunning = false
  onStop(() => (isRunning ? save() : undefined))
  const nodes: Server[] = []
  onStop(() => Promise.all(nodes.map(node => closeServer(node, GRACE_MS))))

  const addNode = async (): Promise<ChainNode> => {
    const faults = new Faults(options.random)
    const node = createHttpServer({ ...context, faults }, admin)
    const port = await listen(node, { service: 'chain', variable: 'CHAIN_PORT', port: 0, host })
    nodes.push(node)
    return { url: `http://${host}:${port}`, faults }
  }

  return {
    server,
    async listen() {
      const ports = await listenBoth(server, wsServer, { host, port: options.port ?? 0, wsPort: options.wsPort })
      onStop(() => closeServer(wsServer, GRACE_MS))
      wsPort = ports.wsPort
      return ports.port
    },
    mount({ port }: ServicePlace) {
      isRunning = true
      onStop(() => sockets.close())
      const every = (ms: number, run: () => void) => {
        const timer = setInterval(run, ms)
        onStop(() => clearInterval(timer))
      }
      if (state.options.slotMs > 0)
        every(state.options.slotMs, () => {
          if (!faults.has('pause-slots')) state.advance()
          writer?.prepare(state)
        })
      if (writer)
        every(options.snapshotMs ?? 2_000, () => {
          if (state.dirty) save().catch(error => warn(`chain: the snapshot could not be written: ${String(error)}`))
        })
      const advanceSlots = (count: number) => state.advance(count)
      const urls = { url: `http://${host}:${port}`, wsUrl: `ws://${host}:${wsPort}` }
      return { facts: { ...urls, wsPort, faults, addNode, fork, advanceSlots, save } }
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
