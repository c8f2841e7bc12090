/**
 * What the wallet does when it is asked:
 * https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html#wallet-rpc-interface
 */
import { randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import nacl from 'tweetnacl'

export type Person = 'approves' | 'refuses' | 'is-away'
export interface Wallet {
  /** What the user does from now on. */
  person: Person
  /** Base58. */
  readonly address: string
  /** The user chooses a new account, which the apps hear of with their next request. */
  switchAccount(): void
  /** Every app that it knows: token → identity. */
  readonly apps: ReadonlyMap<string, string>
  /** The user takes the permission back in the wallet. */
  forgetApps(): void
  /** Every request that came, by method. */
  readonly asked: readonly string[]
  /** What it can do besides; without `solana:signTransactions` it only sends. */
  features: readonly string[]
  /** Changes what it answers, as a faulty or hostile wallet does. */
  change: ((method: string, result: object) => object) | undefined
  /** Who was away answers at last. */
  comesBack(): void
}
/** One of these per session. */
export type Answering = (method: string, params: unknown) => Promise<object>

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
const UNKNOWN_METHOD = -32_601
const MOST_PAYLOADS = 10
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

function base64(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('base64')
}

function field(params: unknown, name: string): unknown {
  return Reflect.get(Object(params), name)
}

function payloadsOf(params: unknown): Uint8Array[] {
  const payloads = field(params, 'payloads')
  if (!Array.isArray(payloads) || !payloads.length || payloads.length > MOST_PAYLOADS)
    throw new MethodError(-5, 'Too many payloads, or none')
  return payloads.map(payload => Uint8Array.from(Buffer.from(String(payload), 'base64')))
}
/** Solana's compact-u16, as long as one byte holds it: more signers than 127 no wallet signs. */
function signTransaction(transaction: Uint8Array, { publicKey, secretKey }: nacl.SignKeyPair): Uint8Array {
  const count = transaction[0] ?? 0
  const message = transaction.subarray(1 + count * SIGNATURE_BYTES)
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0
  const keysAt = header + 4
  for (let index = 0; index < count; index++) {
    const key = message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)
    if (!Buffer.from(key).equals(Buffer.from(publicKey))) continue
    const signed = transaction.slice()
    signed.set(nacl.sign.detached(message, secretKey), 1 + index * SIGNATURE_BYTES)
    return signed
  }
  throw new MethodError(INVALID_PAYLOADS, 'This account is not a signer of the transaction')
}

function signInText(payload: unknown, address: string): string {
  const line = (label: string, name: string) => {
    const value = field(payload, name)
    return typeof value === 'string' ? [`${label}: ${value}`] : []
  }
  const statement = field(payload, 'statement')
  const fields = [
    ...line('URI', 'uri'),
    ...line('Version', 'version'),
    ...line('Chain ID', 'chainId'),
    ...line('Nonce', 'nonce'),
    ...line('Issued At', 'issuedAt'),
  ]
  const head = `${field(payload, 'domain')} wants you to sign in with your Solana account:\n${address}`
  return [head, ...(typeof statement === 'string' ? [statement] : []), fields.join('\n')].join('\n\n')
}

/** @param send puts a signed transaction on its way to the chain */
export function createWallet(send: (transaction: Uint8Array) => Promise<void>): {
  readonly wallet: Wallet
  answering(): Answering
} {
  let key = nacl.sign.keyPair()
  let held: (() => void)[] = []
  const apps = new Map<string, string>()
  const asked: string[] = []
  const wallet: Wallet = {
    person: 'approves',
    get address() {
      return bs58.encode(key.publicKey)
    },
    switchAccount() {
      key = nacl.sign.keyPair()
    },
    apps,
    forgetApps: () => apps.clear(),
    asked,
    features: ['solana:signTransactions', 'solana:signInWithSolana'],
    change: undefined,
    comesBack() {
      wallet.person = 'approves'
      for (const go of held) go()
      held = []
    },
  }
  const decide = async (code: number) => {
    if (wallet.person === 'is-away') await new Promise<void>(resolve => held.push(resolve))
    if (wallet.person === 'refuses') throw new MethodError(code, 'declined')
  }
  const answering = (): Answering => {
    let authorised = false
    const privileged = async () => {
      if (!authorised) throw new MethodError(AUTHORIZATION_FAILED, 'auth_token not valid')
      await decide(NOT_SIGNED)
    }
    const authorize = async (params: unknown) => {
      const identity = String(field(field(params, 'identity'), 'uri'))
      const given = field(params, 'auth_token')
      if (typeof given === 'string') {
        // Each use of a token ends it, and it is only for whom it was given to.
        if (apps.get(given) !== identity) throw new MethodError(AUTHORIZATION_FAILED, 'auth_token not valid')
        apps.delete(given)
      } else await decide(AUTHORIZATION_FAILED)
      const token = randomBytes(32).toString('base64url')
      apps.set(token, identity)
      authorised = true
      const address = base64(key.publicKey)
      const account = {
        address,
        display_address: wallet.address,
        label: 'Sandbox phone',
        chains: [field(params, 'chain')],
      }
      const payload = field(params, 'sign_in_payload')
      const message = Buffer.from(payload ? signInText(payload, wallet.address) : '')
      const signature = base64(nacl.sign.detached(message, key.secretKey))
      return {
        auth_token: token,
        accounts: [account],
        ...(payload !== undefined && { sign_in_result: { address, signed_message: base64(message), signature } }),
      }
    }
    const methods: Readonly<Record<string, (params: unknown) => Promise<object>>> = {
      authorize,
      async deauthorize(params) {
        apps.delete(String(field(params, 'auth_token')))
        authorised = false
        return {}
      },
      get_capabilities: async () => ({
        max_transactions_per_request: MOST_PAYLOADS,
        max_messages_per_request: MOST_PAYLOADS,
        supported_transaction_versions: ['legacy', 0],
        features: wallet.features,
      }),
      async sign_messages(params) {
        const payloads = payloadsOf(params)
        await privileged()
        const signed = payloads.map(one => Buffer.concat([one, nacl.sign.detached(one, key.secretKey)]))
        return { signed_payloads: signed.map(base64) }
      },
      async sign_transactions(params) {
        if (!wallet.features.includes('solana:signTransactions'))
          throw new MethodError(UNKNOWN_METHOD, 'method not found')
        const payloads = payloadsOf(params)
        await privileged()
        return { signed_payloads: payloads.map(one => base64(signTransaction(one, key))) }
      },
      async sign_and_send_transactions(params) {
        const payloads = payloadsOf(params)
        await privileged()
        const signed = payloads.map(one => signTransaction(one, key))
        for (const one of signed)
          await send(one).catch(() => {
            throw new MethodError(-4, 'not submitted')
          })
        return { signatures: signed.map(one => base64(one.subarray(1, 1 + SIGNATURE_BYTES))) }
      },
    }
    return async (method, params) => {
      asked.push(method)
      const run = methods[method]
      if (!run) throw new MethodError(UNKNOWN_METHOD, 'method not found')
      const result = await run(params)
      return wallet.change?.(method, result) ?? result
    }
  }
  return { wallet, answering }
}
