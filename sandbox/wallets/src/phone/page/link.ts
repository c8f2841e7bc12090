/**
 * Reads a deep link like a wallet, and rejects what the documentation says is rejected. Written from that documentation
 * alone: it shares no code with the kit's side, so that the two sides check each other.
 * https://docs.phantom.com/phantom-deeplinks/provider-methods/connect and the pages beside it
 */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { readTransaction, type Transaction } from '../../transaction.js'
import { type Refusal, type RefusalCode, refusal } from './refusals.js'

export interface Account {
  readonly address: string
  readonly publicKey: Uint8Array
  /** Signs the bytes with Ed25519; returns 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array
}
/** Wallet's record of a connection, keyed by the app's half of the key exchange. */
export interface Linked {
  /** base58 */
  readonly sharedSecret: string
  readonly appUrl: string
  readonly cluster: string
}
export interface Links {
  get(dappKey: string): Linked | undefined
  set(dappKey: string, linked: Linked): void
  remove(dappKey: string): void
}
export type SignMethod = 'signTransaction' | 'signAllTransactions' | 'signAndSendTransaction'
export type Ask = {
  /** Address that receives the response. */
  readonly redirect: URL
  /** base58 */
  readonly dappKey: string
} & (
  | { readonly method: 'connect'; readonly appUrl: string; readonly cluster: string }
  | { readonly method: 'disconnect'; readonly linked: Linked }
  | { readonly method: 'signMessage'; readonly linked: Linked; readonly message: Uint8Array }
  | {
      readonly method: SignMethod
      readonly linked: Linked
      readonly transactions: readonly { readonly bytes: Uint8Array; readonly read: Transaction }[]
    }
)
/** Omits `redirect` when the link has no address to return to. */
export type Reading =
  | { readonly ask: Ask }
  | { readonly ask: undefined; readonly redirect: URL | undefined; readonly refusal: Refusal }

const CLUSTERS = ['mainnet-beta', 'testnet', 'devnet', 'localnet']
const KEY_BYTES = 32
const NONCE_BYTES = 24

class Refused extends Error {
  constructor(readonly code: RefusalCode) {
    super()
  }
}

function demand<T>(value: T | undefined | null | false, code: RefusalCode): T {
  if (value === undefined || value === null || value === false) throw new Refused(code)
  return value
}

function bytes(text: unknown, code: RefusalCode, length?: number): Uint8Array {
  const decoded = typeof text === 'string' && text ? bs58.decodeUnsafe(text) : undefined
  return demand(decoded && (length === undefined || decoded.length === length) && decoded, code)
}

function json(text: Uint8Array, code: RefusalCode): Record<string, unknown> {
  try {
    return { ...JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) }
  } catch {
    throw new Refused(code)
  }
}
/** Rejects addresses that run scripts, because they would run with the wallet's permissions. */
function goBack(text: string | null): URL | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return ['javascript:', 'data:', 'blob:'].includes(url.protocol) ? undefined : url
}

/** https://docs.phantom.com/phantom-deeplinks/handling-sessions */
function checkSession(token: unknown, { appUrl, cluster }: Linked, { publicKey }: Account): void {
  const signed = demand(nacl.sign.open(bytes(token, 4100), publicKey), 4100)
  const session = json(signed, 4100)
  demand(session.app_url === appUrl && session.cluster === cluster && session.chain === 'solana', 4100)
}

function getTransaction(text: unknown, { address }: Account) {
  const raw = bytes(text, '-32003')
  try {
    const read = readTransaction(raw)
    demand(read.signers.includes(address), '-32003')
    return { bytes: raw, read }
  } catch {
    throw new Refused('-32003')
  }
}

function readAsk(url: URL, redirect: URL, account: Account, links: Links): Ask {
  const method = url.pathname.split('/').at(-1)
  const { searchParams } = url
  const dappKey = demand(searchParams.get('dapp_encryption_public_key'), '-32000')
  bytes(dappKey, '-32000', KEY_BYTES)
  const base = { redirect, dappKey }
  if (method === 'connect') {
    const appUrl = demand(searchParams.get('app_url'), '-32000')
    const cluster = searchParams.get('cluster') ?? 'mainnet-beta'
    demand(URL.canParse(appUrl) && /^https?:/.test(appUrl) && CLUSTERS.includes(cluster), '-32000')
    return { ...base, method, appUrl, cluster }
  }
  const linked = demand(links.get(dappKey), 4100)
  const opened = nacl.box.open.after(
    bytes(searchParams.get('payload'), '-32000'),
    bytes(searchParams.get('nonce'), '-32000', NONCE_BYTES),
    bs58.decode(linked.sharedSecret),
  )
  const payload = json(demand(opened, '-32000'), '-32000')
  checkSession(payload.session, linked, account)
  switch (method) {
    case 'disconnect':
      return { ...base, method, linked }
    case 'signMessage':
      demand(
        [undefined, 'utf8', 'hex'].some(display => display === payload.display),
        '-32000',
      )
      return { ...base, method, linked, message: bytes(payload.message, '-32000') }
    case 'signTransaction':
    case 'signAndSendTransaction':
      return { ...base, method, linked, transactions: [getTransaction(payload.transaction, account)] }
    case 'signAllTransactions': {
      const { transactions } = payload
      if (!Array.isArray(transactions) || !transactions.length) throw new Refused('-32000')
      return {
        ...base,
        method,
        linked,
        transactions: transactions.map(transaction => getTransaction(transaction, account)),
      }
    }
    default:
      throw new Refused('-32601')
  }
}

/** @param url what the phone was opened with */
export function readLink(url: URL, account: Account, links: Links): Reading {
  const redirect = goBack(url.searchParams.get('redirect_link'))
  if (!redirect) return { ask: undefined, redirect, refusal: refusal('-32000') }
  try {
    return { ask: readAsk(url, redirect, account, links) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ask: undefined, redirect, refusal: refusal(error.code) }
  }
}
