/** Measures the chain: `node sandbox/chain/dist/bench.js` prints one line of JSON. All times in ms. */
import { fork } from 'node:child_process'
import { createPrivateKey, randomBytes, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { exitAfterOutput } from '@keybay/sandbox-service'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js'
import { startChain } from './index.js'

/**
 * Times in ms. `processReadyMs`: from the start of a child process to its ready message. `transfersPerSecond`: signed in
 * advance, with preflight, 32 at a time. `sendAndConfirmMs`: median with web3.js's websocket. `snapshotMs`: at 10,000
 * transactions, until it is on disk, of which no call gets a response for `snapshotBlockedMs`.
 */
interface BenchResult {
  readonly processReadyMs: number
  readonly readyMs: number
  readonly transfersPerSecond: number
  readonly sendAndConfirmMs: number
  readonly snapshotMs: number
  readonly snapshotBlockedMs: number
  readonly restoreMs: number
}

const TRANSFERS = 10_000
const CONFIRMATIONS = 25
const CONCURRENCY = 32

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

function post(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(url, { method: 'POST', agent, headers }, response => resolve(text(response)))
    call.on('error', reject).end(body)
  })
}

/** Returns a function that signs as web3.js does, but in Node's own code, which takes a tenth of the time. */
function createSigner(payer: Keypair): (transaction: Transaction) => Buffer {
  const [d, x] = [payer.secretKey.subarray(0, 32), payer.publicKey.toBytes()].map(bytes =>
    Buffer.from(bytes).toString('base64url'),
  )
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  return transaction => {
    transaction.addSignature(payer.publicKey, sign(null, transaction.serializeMessage(), key))
    return transaction.serialize({ verifySignatures: false })
  }
}

/** Sends signed transfers with fixed concurrency. @throws Error when the chain refuses a transfer */
async function transfers(connection: Connection, payer: Keypair, url: string): Promise<number> {
  const { blockhash } = await connection.getLatestBlockhash()
  const signTransfer = createSigner(payer)
  const bodies = Array.from({ length: TRANSFERS }, (_, index) => {
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 })
    const toPubkey = new PublicKey(randomBytes(32))
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 + index }))
    const params = [signTransfer(transaction).toString('base64'), { encoding: 'base64' }]
    return JSON.stringify({ jsonrpc: '2.0', id: index, method: 'sendTransaction', params })
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const next = bodies.values()
  const worker = async () => {
    for (const body of next) {
      const answer = await post(agent, url, body)
      if (answer.includes('"error"')) throw new Error(answer)
    }
  }
  const ms = await timed(() => Promise.all(Array.from({ length: CONCURRENCY }, worker)))
  agent.destroy()
  return (TRANSFERS / ms) * 1000
}

async function confirmations(connection: Connection, payer: Keypair): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < CONFIRMATIONS; index++) {
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: index + 1 }),
    )
    times.push(await timed(() => sendAndConfirmTransaction(connection, transaction, [payer])))
  }
  return median(times)
}

/** Starts a child process as the sandbox does and measures the time until its ready message. */
async function processReady(dataDir: string): Promise<number> {
  const env = { ...process.env, CHAIN_PORT: '0', CHAIN_DATA_DIR: dataDir }
  const child = fork(fileURLToPath(new URL('./main.js', import.meta.url)), ['--sandbox'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const ms = await timed(() => new Promise(resolve => child.once('message', resolve)))
  child.kill('SIGTERM')
  await ended
  return ms
}

async function bench(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'keybay-chain-bench-'))
  const dataDir = join(folder, 'chain')
  try {
    const starts: number[] = []
    for (const name of ['a', 'b', 'c']) starts.push(await processReady(join(folder, name)))
    const start = performance.now()
    const chain = await startChain({ dataDir, snapshotMs: 3_600_000 })
    const readyMs = performance.now() - start
    const connection = new Connection(chain.url)
    const payer = Keypair.generate()
    await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, 1_000 * LAMPORTS_PER_SOL))
    const sendAndConfirmMs = await confirmations(connection, payer)
    const transfersPerSecond = await transfers(connection, payer, chain.url)
    const saveStart = performance.now()
    const saving = chain.save()
    const snapshotBlockedMs = performance.now() - saveStart
    await saving
    const snapshotMs = performance.now() - saveStart
    await chain.stop()
    const restoreStart = performance.now()
    const restored = await startChain({ dataDir })
    const restoreMs = performance.now() - restoreStart
    await restored.stop()
    return {
      processReadyMs: round(median(starts)),
      readyMs: round(readyMs),
      transfersPerSecond: Math.round(transfersPerSecond),
      sendAndConfirmMs: round(sendAndConfirmMs),
      snapshotMs: round(snapshotMs),
      snapshotBlockedMs: round(snapshotBlockedMs),
      restoreMs: round(restoreMs),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(await bench())}\n`)
  // Exit explicitly: web3.js keeps reconnecting to the websocket of the stopped chain.
  exitAfterOutput(0)
}
