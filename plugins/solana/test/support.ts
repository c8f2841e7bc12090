/** Test app with a wallet that signs for real, a clock that a test advances, and a node that misbehaves on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Clock,
  createKeybay,
  definePlugin,
  type Keybay,
  type Plugin,
  type SolanaSignTransaction,
  type WalletConnector,
} from '@keybay/kernel'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type SolanaApi, type SolanaOptions, solana } from '../src/index.js'

type SignTransaction = SolanaSignTransaction['signTransaction']

export interface TestWallet {
  readonly address: string
  readonly connector: WalletConnector
  readonly asked: readonly { readonly chain: string | undefined; readonly transaction: Uint8Array }[]
  answer: SignTransaction | undefined
}
export function testWallet(chains: readonly `solana:${string}`[] = ['solana:localnet', 'solana:devnet']): TestWallet {
  const key = Keypair.generate()
  const address = key.publicKey.toBase58()
  const features = ['solana:signTransaction'] as const
  const account = { address, publicKey: key.publicKey.toBytes(), chains, features }
  const requests: { chain: string | undefined; transaction: Uint8Array }[] = []
  const made: TestWallet = {
    address,
    asked: requests,
    answer: undefined,
    connector: {
      kind: 'wallet',
      id: `test:${address}`,
      name: 'Test',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: {
        version: '1.0.0',
        name: 'Test',
        icon: 'data:image/svg+xml;base64,',
        chains,
        accounts: [account],
        features: {
          'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
          'solana:signTransaction': {
            version: '1.0.0',
            supportedTransactionVersions: ['legacy', 0],
            async signTransaction(...inputs) {
              requests.push(...inputs.map(({ chain, transaction }) => ({ chain, transaction })))
              if (made.answer) return made.answer(...inputs)
              return inputs.map(input => ({ signedTransaction: Buffer.from(signWith(key, input.transaction)) }))
            },
          },
        },
      },
    },
  }
  return made
}

export function signWith(key: Keypair, bytes: Uint8Array): Uint8Array {
  const transaction = VersionedTransaction.deserialize(bytes)
  transaction.sign([key])
  return transaction.serialize()
}

function walletPlugin(connectors: readonly WalletConnector[]): Plugin<'wallets', undefined, WalletConnector> {
  return definePlugin({ id: 'wallets', version: '0.1.0', setup: () => ({ connectors }) })
}

export type Host = Keybay<Plugin<'solana', SolanaApi> | Plugin<'wallets', undefined, WalletConnector>>
export interface HostOptions {
  readonly url: string
  readonly wsUrl?: string
  readonly wallets?: readonly TestWallet[]
  readonly clock?: Clock
  readonly solana?: SolanaOptions
  readonly apiUrl?: string
}

export async function host({ url, wsUrl, wallets = [], clock, solana: options, apiUrl }: HostOptions): Promise<Host> {
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    ...(clock && { clock }),
    ...(apiUrl && { baseApiUrl: apiUrl }),
    plugins: [
      solana({
        cluster: 'localnet',
        endpoints: { localnet: { rpcUrl: url, ...(wsUrl && { webSocketUrl: wsUrl }) } },
        ...options,
      }),
      walletPlugin(wallets.map(({ connector }) => connector)),
    ],
  })
  for (const { connector } of wallets) await keybay.connect(connector.id)
  return keybay
}

export const SOL = 1_000_000_000n
export const FEE = 5000n

export function stranger(): string {
  return Keypair.generate().publicKey.toBase58()
}
/** Starts a chain for a file; the apps of a test close after it. */
export function setUpChain(options: Parameters<typeof startChain>[0] = {}) {
  let chain: Chain
  let connection: Connection
  const closing: (() => unknown)[] = []
  beforeAll(async () => {
    chain = await startChain({ port: 0, slotMs: 50, ...options })
    connection = new Connection(chain.url, 'confirmed')
  })
  afterAll(() => chain.stop())
  beforeEach(() => void vi.stubGlobal('WebSocket', WebSocket)) // Node 20 has none.
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
    chain.faults.clear()
    vi.unstubAllGlobals()
  })
  const open = async (overrides: Partial<HostOptions> = {}): Promise<Host> => {
    const keybay = await host({ url: chain.url, wsUrl: chain.wsUrl, ...overrides })
    closing.push(keybay.dispose)
    return keybay
  }
  return {
    get chain() {
      return chain
    },
    get connection() {
      return connection
    },
    /** Called after the test. */
    closing,
    open,
    /** Creates an app whose connected wallet holds 10 SOL, or what is given. */
    async rich(overrides: Partial<HostOptions> = {}, lamports = 10n * SOL) {
      const wallet = testWallet()
      const keybay = await open({ wallets: [wallet], ...overrides })
      const owner = new PublicKey(wallet.address)
      await connection.requestAirdrop(owner, Number(lamports))
      return { keybay, wallet, owner, solana: keybay.solana }
    },
    getHeld: async (address: string) => BigInt(await connection.getBalance(new PublicKey(address))),
  }
}
/** Clock that only a test advances; a test can also wait for a timer to be set. */
export class TestClock implements Clock {
  #now = 1_000_000
  #timers = new Set<{ readonly at: number; readonly ms: number; run(): void }>()
  #waiting: { readonly ms: number; resolve(): void }[] = []
  now(): number {
    return this.#now
  }
  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, ms, run }
    this.#timers.add(timer)
    this.#waiting = this.#waiting.filter(waiter => waiter.ms !== ms || waiter.resolve())
    return () => this.#timers.delete(timer)
  }
  /** Durations of the running timers, in ms. */
  get lengths(): readonly number[] {
    return [...this.#timers].map(({ ms }) => ms)
  }
  /** Resolves once a timer of this duration is running. */
  set(ms: number): Promise<void> {
    if (this.lengths.includes(ms)) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ ms, resolve }))
  }
  move(ms: number): void {
    this.#now += ms
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at))
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run()
  }
  /** Waits for a timer of this duration, and fires it. */
  async pass(ms: number): Promise<void> {
    await this.set(ms)
    this.move(ms)
  }
}

/** System clock, accelerated: the kit's 60 s pass in three. */
export function fastClock(times: number): Clock {
  return {
    now: () => Date.now() * times,
    after(ms, run) {
      const timer = setTimeout(run, ms / times)
      return () => clearTimeout(timer)
    },
  }
}

export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
  readonly id: number
}
export type Reply = (call: Call, response: ServerResponse, turn: number) => void

export function reply(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function result({ id }: Call, value: unknown): unknown {
  return { jsonrpc: '2.0', id, result: value }
}

export function refusal({ id }: Call, code: number, message = 'no', data?: unknown): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, data } }
}

export type BadNode = Awaited<ReturnType<typeof badNode>>
export async function badNode(answer: Reply) {
  const calls: Call[] = []
  let waiting: { readonly count: number; resolve(): void }[] = []
  const server = createServer((request: IncomingMessage, response) => {
    // Allows requests from any page, as public nodes do.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') return response.end()
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      const call: Call = JSON.parse(text)
      calls.push(call)
      for (const { count, resolve } of waiting) if (count <= calls.length) resolve()
      waiting = waiting.filter(({ count }) => count > calls.length)
      answer(call, response, calls.length)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Resolves after this many calls. */
    got: (count: number) =>
      new Promise<void>(resolve => {
        if (calls.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
