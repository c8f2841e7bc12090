/**
 * Provider that Phantom injects, following its documentation and the way pages use it: with web3.js objects.
 * https://docs.phantom.com/solana/establishing-a-connection and the pages beside it
 */
import bs58 from 'bs58'
import type { Channel } from './channel.js'
import { createEvents } from './events.js'

/** Subset of web3.js's `PublicKey` that pages use. */
interface PublicKeyLike {
  toBase58(): string
  toString(): string
  toBytes(): Uint8Array
}
/** Either of web3.js's transaction classes. */
interface TransactionLike {
  serialize(options?: { readonly requireAllSignatures: boolean; readonly verifySignatures: boolean }): Uint8Array
  addSignature?(publicKey: unknown, signature: Uint8Array): void
  readonly constructor: { from?(bytes: Uint8Array): unknown; deserialize?(bytes: Uint8Array): unknown }
}
export type SolanaProvider = ReturnType<typeof createSolanaProvider>

function readPublicKey(address: string): PublicKeyLike {
  return { toBase58: () => address, toString: () => address, toBytes: () => bs58.decode(address) }
}

function failure(message: string, code: number) {
  return Object.assign(new Error(message), { code })
}

function encode(transaction: TransactionLike) {
  return bs58.encode(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}
/** Returns an object of the class that the page passed in. */
function decode(original: TransactionLike, encoded: string) {
  const bytes = bs58.decode(encoded)
  return original.constructor.deserialize?.(bytes) ?? original.constructor.from?.(bytes)
}

function text(answer: unknown, name: string): string {
  return String(Reflect.get(Object(answer), name))
}

function texts(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.map(String) : []
}

export function createSolanaProvider({ ask, subscribe }: Channel) {
  const { emit, ...events } = createEvents()
  let publicKey: PublicKeyLike | null = null
  const show = (address: string | undefined) => {
    if (address === publicKey?.toBase58()) return false
    publicKey = address === undefined ? null : readPublicKey(address)
    return true
  }
  const connected = () => {
    if (!publicKey) throw failure('Wallet is not connected', 4900)
    return publicKey
  }
  subscribe(({ solana }) => {
    // Emits no account events to a page that has not connected.
    if (publicKey && show(solana)) emit('accountChanged', publicKey)
  })
  return {
    isPhantom: true as const,
    get publicKey(): PublicKeyLike | null {
      return publicKey
    },
    get isConnected(): boolean {
      return publicKey !== null
    },
    async connect({ onlyIfTrusted = false }: { readonly onlyIfTrusted?: boolean } = {}) {
      const answer = await ask('solana.connect', { silent: onlyIfTrusted })
      const { address } = Object(answer)
      if (typeof address !== 'string') throw failure('User rejected the request.', 4001)
      if (show(address)) emit('connect', publicKey)
      return { publicKey: connected() }
    },
    async disconnect() {
      if (show(undefined)) emit('disconnect')
    },
    async signMessage(message: Uint8Array, _display?: 'utf8' | 'hex') {
      const publicKey = connected()
      const answer = await ask('solana.signMessage', { message: bs58.encode(message) })
      return { publicKey, signature: bs58.decode(text(answer, 'signature')) }
    },
    async signTransaction(transaction: TransactionLike): Promise<unknown> {
      connected()
      const [signed = ''] = texts(await ask('solana.signTransactions', { transactions: [encode(transaction)] }))
      return decode(transaction, signed)
    },
    async signAllTransactions(transactions: readonly TransactionLike[]): Promise<readonly unknown[]> {
      connected()
      const signed = texts(await ask('solana.signTransactions', { transactions: transactions.map(encode) }))
      return transactions.map((transaction, index) => decode(transaction, signed[index] ?? ''))
    },
    async signAndSendTransaction(transaction: TransactionLike, _options?: unknown) {
      const publicKey = connected()
      const sent = texts(await ask('solana.signAndSendTransactions', { transactions: [encode(transaction)] }))
      return { publicKey, signature: sent[0] ?? '' }
    },
    ...events,
  }
}
