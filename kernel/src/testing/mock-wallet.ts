/** A Wallet Standard wallet that signs for real and misbehaves on demand. */
import type { IdentifierArray, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type { FeatureName, WalletConnector, WalletFeatures, WalletWith } from '../connector.js'
import { type ListenerSet, listenerSet } from '../listeners.js'
import { definePlugin, type Plugin } from '../plugin.js'
import type { Clock } from '../spec/clock.js'
import { VERSION } from '../version.js'
import { createSigningKey, type SigningKey } from './keys.js'
import { lockedError, REFUSALS, type RefusalStyle } from './refusals.js'
import { signTransaction } from './sign-transaction.js'

/** Faults of the wallet, effective while set. */
export type WalletFault =
  /** Connect and sign do not settle until `release()`, even after abort or dispose. */
  | 'never-answers'
  /** Emits the same accounts again, before and after connect resolves. */
  | 'answers-twice'
  | `refuses-like-${RefusalStyle}`
  | 'locked'
  | 'no-accounts'
  | 'throws-in-getters'
  /** Throws at once instead of returning a promise. */
  | 'disconnect-throws'
  | 'disconnect-rejects'
  | 'disconnect-never-answers'

export interface MockWalletOptions {
  /** Default `Mock`. The connector's ID is this name in lower case. */
  readonly name?: string
  readonly icon?: WalletIcon
  /** Default devnet and localnet. */
  readonly chains?: IdentifierArray
  /** Number of accounts, each with its own key. Default 1. */
  readonly accounts?: number
  /** Features that the wallet lacks, e.g. `solana:signMessage`. */
  readonly without?: readonly FeatureName[]
  /** With `clock`: duration of each call, in ms. */
  readonly delay?: number
  readonly clock?: Clock
  readonly fault?: WalletFault
}
type Change = Parameters<Parameters<WalletFeatures['standard:events']['on']>[1]>[0]
export interface MockWallet {
  /** For registering in the page, or for another connector. */
  readonly wallet: WalletWith
  readonly connector: WalletConnector
  /** `createKeybay({ appName: 'Test', plugins: [mockWallet().plugin] })` */
  readonly plugin: Plugin<string, undefined, WalletConnector>
  /** May be changed at any time. */
  fault: WalletFault | undefined
  /** Every call: its feature, and `silent` if it was silent. */
  readonly requests: readonly { readonly feature: FeatureName; readonly silent: boolean }[]
  /** Number of listeners on `standard:events`. */
  readonly listeners: number
  /** Settles the calls that `never-answers` delayed, and waits for them. */
  release(): Promise<void>
  /** Replaces the accounts with a new one, as a user does in the wallet. */
  switchAccount(): Promise<void>
  /** Emits a change, regardless of the wallet's accounts. */
  emit(change: Change): void
}
const ICON: WalletIcon =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0IiBmaWxsPSIjNjM2MCIvPjwvc3ZnPg=='

/**
 * @example
 * const mock = mockWallet({ fault: 'refuses-like-phantom' })
 * const keybay = createKeybay({ appName: 'Test', plugins: [mock.plugin] })
 * await keybay.connect('mock') // rejects with `user_rejected`
 */
export function mockWallet(options: MockWalletOptions = {}): MockWallet {
  return new Mock(options)
}

interface Signed {
  readonly account: WalletAccount
  readonly message?: Uint8Array
  readonly transaction?: Uint8Array
}

/** Copies the message or the transaction at once, because the app may change its bytes later. */
function toContent({ account, message, transaction }: Signed) {
  return { account, content: new Uint8Array(message ?? transaction ?? []) }
}

type MockFeatures = Omit<WalletFeatures, 'solana:signAndSendTransaction' | 'solana:signIn'>

class Mock implements MockWallet {
  readonly wallet: WalletWith
  readonly connector: WalletConnector
  readonly plugin: Plugin<string, undefined, WalletConnector>
  fault: WalletFault | undefined
  readonly requests: { readonly feature: FeatureName; readonly silent: boolean }[] = []
  readonly #options: MockWalletOptions
  readonly #chains: IdentifierArray
  readonly #changes: ListenerSet<Change> = listenerSet()
  readonly #keys = new Map<WalletAccount, SigningKey>()
  readonly #running = new Set<Promise<unknown>>()
  #delayed: (() => void)[] = []
  #accounts: readonly WalletAccount[] = []
  /** True after the user's first approval; silent calls then connect too. */
  #trusted = false

  constructor(options: MockWalletOptions) {
    const { name = 'Mock', icon = ICON, chains = ['solana:devnet', 'solana:localnet'] } = options
    this.#options = options
    this.#chains = chains
    this.fault = options.fault
    this.wallet = this.#createWallet(name, icon)
    const id = name.toLowerCase().replace(/\s+/g, '-')
    const { wallet } = this
    const connector = {
      kind: 'wallet',
      id,
      name,
      icon,
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet,
    } as const
    this.connector = connector
    this.plugin = definePlugin({ id, version: VERSION, setup: () => ({ connectors: [connector] }) })
  }

  get listeners(): number {
    return this.#changes.size
  }

  readonly release = async (): Promise<void> => {
    const delayed = this.#delayed
    this.#delayed = []
    for (const resolve of delayed) resolve()
    await Promise.allSettled(this.#running)
  }

  readonly switchAccount = async (): Promise<void> => {
    this.#accounts = [await this.#createAccount()]
    this.emit({ accounts: this.#accounts })
  }

  readonly emit = (change: Change): void => {
    this.#changes.emit(change)
  }

  #createWallet(name: string, icon: WalletIcon): WalletWith {
    const features: Partial<MockFeatures> = this.#createFeatures()
    for (const feature of this.#options.without ?? []) Reflect.deleteProperty(features, feature)
    const mock = this
    const read = <T>(value: T): T => {
      if (mock.fault === 'throws-in-getters') throw new Error('This getter throws')
      return value
    }
    return {
      version: '1.0.0',
      name,
      icon,
      get chains() {
        return read(mock.#chains)
      },
      get accounts() {
        return read(mock.#accounts)
      },
      get features() {
        return read(features)
      },
    }
  }

  #createFeatures(): MockFeatures {
    return {
      'standard:connect': {
        version: '1.0.0',
        connect: ({ silent = false } = {}) => this.#run('standard:connect', silent, () => this.#connect(silent)),
      },
      'standard:disconnect': { version: '1.0.0', disconnect: () => this.#disconnect() },
      'standard:events': { version: '1.0.0', on: (_event, listener) => this.#changes.add(listener) },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs) =>
          this.#signAll('solana:signMessage', inputs.map(toContent), async ({ account, content }) => ({
            signedMessage: content,
            signature: await this.#getKey(account).sign(content),
          })),
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: (...inputs) =>
          this.#signAll('solana:signTransaction', inputs.map(toContent), async ({ account, content }) => ({
            signedTransaction: await signTransaction(content, this.#getKey(account)),
          })),
      },
    }
  }

  async #connect(silent: boolean): Promise<{ readonly accounts: readonly WalletAccount[] }> {
    if (this.fault === 'no-accounts' || (silent && !this.#trusted)) return { accounts: [] }
    if (!this.#accounts.length) this.#accounts = await this.#createAccounts()
    this.#trusted = true
    const accounts = this.#accounts
    if (this.fault === 'answers-twice') {
      this.emit({ accounts })
      queueMicrotask(() => this.emit({ accounts }))
    }
    return { accounts }
  }

  #disconnect(): Promise<void> {
    if (this.fault === 'disconnect-throws') throw new Error('Disconnect failed')
    this.requests.push({ feature: 'standard:disconnect', silent: false })
    this.#accounts = []
    this.#trusted = false
    if (this.fault === 'disconnect-rejects') return Promise.reject(new Error('Disconnect failed'))
    return this.fault === 'disconnect-never-answers' ? new Promise(() => {}) : Promise.resolve()
  }

  #signAll<I, O>(feature: FeatureName, inputs: readonly I[], sign: (input: I) => Promise<O>): Promise<readonly O[]> {
    return this.#run(feature, false, () => Promise.all(inputs.map(sign)))
  }

  async #run<T>(feature: FeatureName, silent: boolean, act: () => Promise<T>): Promise<T> {
    const running = this.#misbehave(feature, silent).then(act)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async #misbehave(feature: FeatureName, silent: boolean): Promise<void> {
    this.requests.push({ feature, silent })
    const { delay = 0, clock } = this.#options
    if (this.fault === 'never-answers' && !silent) await new Promise<void>(resolve => this.#delayed.push(resolve))
    if (delay) await new Promise<void>(resolve => clock?.after(delay, resolve))
    if (this.fault === 'locked') throw lockedError()
    if (silent) return
    for (const [style, refusal] of Object.entries(REFUSALS)) if (this.fault === `refuses-like-${style}`) throw refusal()
  }

  async #createAccounts(): Promise<readonly WalletAccount[]> {
    const { accounts: count = 1 } = this.#options
    if (!this.#keys.size) await Promise.all(Array.from({ length: count }, () => this.#createAccount()))
    return [...this.#keys.keys()].slice(0, count)
  }

  async #createAccount(): Promise<WalletAccount> {
    const key = await createSigningKey()
    const { address, publicKey } = key
    const features = ['solana:signMessage', 'solana:signTransaction'] as const
    const account: WalletAccount = { address, publicKey, chains: this.#chains, features }
    this.#keys.set(account, key)
    return account
  }

  #getKey(account: WalletAccount): SigningKey {
    const key = this.#keys.get(account)
    if (!key) throw new RangeError('Not an account of this wallet')
    return key
  }
}
