import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Chain, type ChainOptions, startChain } from '../src/index.js'

/** Starts a chain for one test, or for a file when started in beforeAll with its own `stop`. */
export async function chainForTest(options: ChainOptions = {}): Promise<Chain> {
  const chain = await startChain(options)
  onTestFinished(() => chain.stop())
  return chain
}

/** Stops web3.js from reconnecting forever to the websocket of a stopped chain. */
function closeSocket(connection: Connection): void {
  const socket: unknown = Reflect.get(connection, '_rpcWebSocket')
  if (typeof socket !== 'object' || !socket) return
  Reflect.set(socket, 'reconnect', false)
  Reflect.set(socket, 'connect', () => undefined)
  if ('close' in socket && typeof socket.close === 'function') socket.close()
}

/**
 * Opens a web3.js connection that closes with the test. web3.js keeps polling in the background after a
 * confirmation: the test waits for calls in flight and leaves later ones pending, so that none fails when the chain
 * stops.
 */
export function connectionForTest(chain: Chain, commitment: 'processed' | 'confirmed' | 'finalized' = 'confirmed') {
  const underWay = new Set<Promise<Response>>()
  let ended = false
  const trackedFetch: typeof fetch = (input, init) => {
    if (ended) return new Promise(() => undefined)
    const call = fetch(input, init)
    underWay.add(call)
    const done = () => underWay.delete(call)
    call.then(done, done)
    return call
  }
  const connection = new Connection(chain.url, { commitment, fetch: trackedFetch })
  onTestFinished(async () => {
    ended = true
    closeSocket(connection)
    await Promise.allSettled(underWay)
  })
  return connection
}

/** Creates a key with a balance of `sol`. */
export async function funded(connection: Connection, sol = 10): Promise<Keypair> {
  const keypair = Keypair.generate()
  await connection.confirmTransaction(await connection.requestAirdrop(keypair.publicKey, sol * LAMPORTS_PER_SOL))
  return keypair
}

export interface RpcReply {
  readonly jsonrpc: string
  readonly id: string | number | null
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever a method answers
  readonly result?: any
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever an error carries
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any }
}

export function post(chain: Chain, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(chain.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
}

/** Sends one raw JSON-RPC call. */
export async function rpc(chain: Chain, method: string, ...params: unknown[]): Promise<RpcReply> {
  const response = await post(chain, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return response.json()
}

export async function admin(chain: Chain, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) {
  return fetch(`${chain.url}/admin${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
}

export async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await new Promise(resolve => socket.once('open', resolve))
  return socket
}
