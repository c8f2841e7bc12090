/**
 * Handles requests like a wallet:
 * https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html#wallet-rpc-interface
 */
import { randomBytes } from 'node:crypto'
import { createSignInMessageText } from '@solana/wallet-standard-util'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { signTransaction, transactionSignature } from '../transaction.js'

export type User = 'approves' | 'refuses' | 'is-away'
export interface Wallet {
  /** User's behaviour from now on. */
  user: User
  /** Base58. */
  readonly address: string
  /** Replaces the account. Apps notice it with their next request. */
  switchAccount(): void
  /** Known apps: token → identity. */
  readonly apps: ReadonlyMap<string, string>
  /** Revokes the permission of every app. */
  forgetApps(): void
  /** Methods of all requests so far. */
  readonly requests: readonly string[]
  /** Optional features; without `solana:signTransactions` the wallet only signs what it sends. */
  features: readonly string[]
  /** Changes each result, as a faulty or hostile wallet does. */
  change: ((method: string, result: object) => object) | undefined
  /** Makes the user return and approve. */
  comesBack(): void
}
/** Handles the requests of one session. */
export type Handler = (method: string, params: unknown) => Promise<object>
type Method = (params: unknown) => Promise<object>

export class MethodError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const AUTHORIZATION_FAILED = -1
const INVALID_PAYLOADS = -2
const NOT_SIGNED = -3
const NOT_SUBMITTED = -4
const TOO_MANY_PAYLOADS = -5
const UNKNOWN_METHOD = -32_601
const MAX_PAYLOADS = 10

function toBase64(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('base64')
}

function field(params: unknown, name: string): unknown {
  return Reflect.get(Object(params), name)
}

function readPayloads(params: unknown): Uint8Array[] {
  const payloads = field(params, 'payloads')
  if (!Array.isArray(payloads) || !payloads.length || payloads.length > MAX_PAYLOADS)
    throw new MethodError(TOO_MANY_PAYLOADS, 'Too many payloads, or none')
  return payloads.map(payload => Uint8Array.from(Buffer.from(String(payload), 'base64')))
}
/** Submits a signed transaction to the chain. */
type Send = (transaction: Uint8Array) => Promise<void>

/** The wallet, with what its sessions need. */
interface Internals {
  readonly wallet: Wallet
  readonly apps: Map<string, string>
  readonly requests: string[]
  readonly send: Send
  getKey(): nacl.SignKeyPair
  /** Requests approval. @throws MethodError with this code */
  ask(code: number): Promise<void>
}

function createInternals(send: Send): Internals {
  let key = nacl.sign.keyPair()
  const waiting: (() => void)[] = []
  const apps = new Map<string, string>()
  const requests: string[] = []
  const wallet: Wallet = {
    user: 'approves',
    features: ['solana:signTransactions', 'solana:signInWithSolana'],
    change: undefined,
    apps,
    requests,
    get address() {
      return bs58.encode(key.publicKey)
    },
    switchAccount() {
      key = nacl.sign.keyPair()
    },
    forgetApps: () => apps.clear(),
    comesBack() {
      wallet.user = 'approves'
      for (const resume of waiting.splice(0)) resume()
    },
  }
  const ask = async (code: number) => {
    if (wallet.user === 'is-away') await new Promise<void>(resolve => waiting.push(resolve))
    if (wallet.user === 'refuses') throw new MethodError(code, 'declined')
  }
  return { wallet, apps, requests, send, getKey: () => key, ask }
}

/** Returns the token of an app that the wallet knows or that the user approves. */
async function authorizeApp({ apps, ask }: Internals, params: unknown): Promise<string> {
  const identity = String(field(field(params, 'identity'), 'uri'))
  const previous = field(params, 'auth_token')
  if (typeof previous === 'string') {
    // A token is valid once, and only for the app that received it.
    if (apps.get(previous) !== identity) throw new MethodError(AUTHORIZATION_FAILED, 'auth_token not valid')
    apps.delete(previous)
  } else await ask(AUTHORIZATION_FAILED)
  const token = randomBytes(32).toString('base64url')
  apps.set(token, identity)
  return token
}

function createMethods(internals: Internals): Readonly<Record<string, Method>> {
  const { wallet, apps, send, getKey, ask } = internals
  let isAuthorised = false
  const sign = (message: Uint8Array) => nacl.sign.detached(message, getKey().secretKey)
  const signOne = (transaction: Uint8Array) => {
    try {
      return signTransaction(transaction, wallet.address, sign)
    } catch {
      throw new MethodError(INVALID_PAYLOADS, 'This account is not a signer of the transaction')
    }
  }
  const askToSign = async (params: unknown) => {
    const payloads = readPayloads(params)
    if (!isAuthorised) throw new MethodError(AUTHORIZATION_FAILED, 'auth_token not valid')
    await ask(NOT_SIGNED)
    return payloads
  }
  return {
    async authorize(params) {
      const token = await authorizeApp(internals, params)
      isAuthorised = true
      const address = toBase64(getKey().publicKey)
      const chains = [field(params, 'chain')]
      const account = { address, display_address: wallet.address, label: 'Sandbox phone', chains }
      const payload = field(params, 'sign_in_payload')
      if (payload === undefined) return { auth_token: token, accounts: [account] }
      const message = Buffer.from(createSignInMessageText({ ...Object(payload), address: wallet.address }))
      const sign_in_result = { address, signed_message: toBase64(message), signature: toBase64(sign(message)) }
      return { auth_token: token, accounts: [account], sign_in_result }
    },
    async deauthorize(params) {
      apps.delete(String(field(params, 'auth_token')))
      isAuthorised = false
      return {}
    },
    get_capabilities: async () => ({
      max_transactions_per_request: MAX_PAYLOADS,
      max_messages_per_request: MAX_PAYLOADS,
      supported_transaction_versions: ['legacy', 0],
      features: wallet.features,
    }),
    async sign_messages(params) {
      const payloads = await askToSign(params)
      return { signed_payloads: payloads.map(payload => toBase64(Buffer.concat([payload, sign(payload)]))) }
    },
    async sign_transactions(params) {
      if (!wallet.features.includes('solana:signTransactions'))
        throw new MethodError(UNKNOWN_METHOD, 'method not found')
      const payloads = await askToSign(params)
      return { signed_payloads: payloads.map(payload => toBase64(signOne(payload))) }
    },
    async sign_and_send_transactions(params) {
      const payloads = await askToSign(params)
      const transactions = payloads.map(signOne)
      for (const transaction of transactions)
        await send(transaction).catch(() => {
          throw new MethodError(NOT_SUBMITTED, 'not submitted')
        })
      return { signatures: transactions.map(transaction => toBase64(transactionSignature(transaction))) }
    },
  }
}

export function createWallet(send: Send): { readonly wallet: Wallet; createSession(): Handler } {
  const internals = createInternals(send)
  const { wallet } = internals
  return {
    wallet,
    createSession() {
      const methods = createMethods(internals)
      return async (method, params) => {
        internals.requests.push(method)
        const run = methods[method]
        if (!run) throw new MethodError(UNKNOWN_METHOD, 'method not found')
        const result = await run(params)
        return wallet.change?.(method, result) ?? result
      }
    },
  }
}
