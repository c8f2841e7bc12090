/** A Wallet Standard wallet that signs for real and misbehaves on demand. */
import type { IdentifierArray, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type { FeatureName, WalletConnector, WalletFeatures, WalletWith } from '../connector.js'
import { definePlugin, type Plugin } from '../plugin.js'
import type { Clock } from '../spec/clock.js'
import { VERSION } from '../version.js'
import { createSigningKey, type SigningKey } from './keys.js'
import { lockedError, REFUSALS, type RefusalStyle } from './refusals.js'
import { signTransaction } from './sign-transaction.js'

/** What the wallet does wrong, from the moment it is set. */
export type WalletFault =
  /** Connect and sign do not answer until `release()`, however long after abort or dispose that is. */
  | 'never-answers'
  /** Reports the same accounts again, before and after it answers. */
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
  /** Default `Mock`. The connector's id is this name in small letters. */
  readonly name?: string
  readonly icon?: WalletIcon
  /** Default devnet and localnet. */
  readonly chains?: IdentifierArray
  /** How many accounts it gives; each has a key of its own. Default 1. */
  readonly accounts?: number
  /** Features it lacks, e.g. `solana:signMessage`. */
  readonly without?: readonly FeatureName[]
  /** Together with `clock`: how long each answer takes, ms. */
  readonly delay?: number
  readonly clock?: Clock
  readonly fault?: WalletFault
}
type Change = Parameters<Parameters<WalletFeatures['standard:events']['on']>[1]>[0]
export interface MockWallet {
  /** To register in the page, or for a connector of your own. */
  readonly wallet: WalletWith
  readonly connector: WalletConnector
  /** `createKeybay({ appName: 'Test', plugins: [mockWallet().plugin] })` */
  readonly plugin: Plugin<string, undefined, WalletConnector>
  /** May be changed at any time. */
  fault: WalletFault | undefined
  /** Every call: feature, and whether it was silent. */
  readonly requests: readonly { readonly feature: FeatureName; readonly silent: boolean }[]
  /** How many listen to `standard:events`. */
  readonly listeners: number
  /** Lets go of all that `never-answers` held back. Resolves when that has been answered. */
  release(): Promise<void>
  /** The user chooses a new account in the wallet. */
  switchAccount(): Promise<void>
  /** Tells listeners; what is new about the wallet is the caller's business. */
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
  const { name = 'Mock', icon = ICON, chains = ['solana:devnet', 'solana:localnet'], without = [], delay = 0 } = options
  const listeners = new Set<(change: Change) => void>()
  const requests: { feature: FeatureName; silent: boolean }[] = []
  const keys = new Map<WalletAccount, SigningKey>()
  const running = new Set<Promise<unknown>>()
  let held: (() => void)[] = []
  let known: readonly WalletAccount[] = []
  /** The user agreed once: from then on it answers silently too. */
  let trusted = false
  const emit = (change: Change) => {
    for (const listener of [...listeners]) listener(change)
  }
  const createAccount = async (): Promise<WalletAccount> => {
    const key = await createSigningKey()
    const account: WalletAccount = {
      address: key.address,
      publicKey: key.publicKey,
      chains,
      features: ['solana:signMessage', 'solana:signTransaction'],
    }
    keys.set(account, key)
    return account
  }
  const accountsOf = async () => {
    if (!keys.size) await Promise.all(Array.from({ length: options.accounts ?? 1 }, createAccount))
    return [...keys.keys()].slice(0, options.accounts ?? 1)
  }
  /** What every request goes through. */
  const answer = async <T>(feature: FeatureName, silent: boolean, make: () => Promise<T>): Promise<T> => {
    const answered = attend(feature, silent).then(make)
    running.add(answered)
    try {
      return await answered
    } finally {
      running.delete(answered)
    }
  }
  const attend = async (feature: FeatureName, silent: boolean) => {
    requests.push({ feature, silent })
    if (mock.fault === 'never-answers' && !silent) await new Promise<void>(resolve => held.push(resolve))
    if (delay) await new Promise<void>(resolve => options.clock?.after(delay, resolve))
    if (mock.fault === 'locked') throw lockedError()
    if (mock.fault?.startsWith('refuses-like-') && !silent)
      for (const [style, refusal] of Object.entries(REFUSALS)) if (mock.fault.endsWith(style)) throw refusal()
  }
  const keyOf = (account: WalletAccount): SigningKey => {
    const key = keys.get(account)
    if (!key) throw new RangeError('Not an account of this wallet')
    return key
  }
  const all: Pick<WalletFeatures, Exclude<FeatureName, 'solana:signAndSendTransaction'> & keyof WalletFeatures> = {
    'standard:connect': {
      version: '1.0.0',
      connect: ({ silent = false } = {}) =>
        answer('standard:connect', silent, async () => {
          if (mock.fault === 'no-accounts' || (silent && !trusted)) return { accounts: [] }
          known = known.length ? known : await accountsOf()
          trusted = true
          const accounts = known
          if (mock.fault === 'answers-twice') {
            emit({ accounts })
            queueMicrotask(() => emit({ accounts }))
          }
          return { accounts }
        }),
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect() {
        if (mock.fault === 'disconnect-throws') throw new Error('Disconnect failed')
        requests.push({ feature: 'standard:disconnect', silent: false })
        known = []
        trusted = false
        if (mock.fault === 'disconnect-rejects') return Promise.reject(new Error('Disconnect failed'))
        return mock.fault === 'disconnect-never-answers' ? new Promise(() => {}) : Promise.resolve()
      },
    },
    'standard:events': {
      version: '1.0.0',
      on(_event, listener) {
        const own = (change: Change) => listener(change)
        listeners.add(own)
        return () => {
          listeners.delete(own)
        }
      },
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        answer('solana:signMessage', false, () =>
          Promise.all(
            inputs.map(async ({ account, message }) => ({
              signedMessage: message,
              signature: await keyOf(account).sign(message),
            })),
          ),
        ),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs) =>
        answer('solana:signTransaction', false, () =>
          Promise.all(
            inputs.map(async ({ account, transaction }) => ({
              signedTransaction: await signTransaction(transaction, keyOf(account)),
            })),
          ),
        ),
    },
  }
  const left: Partial<typeof all> = { ...all }
  for (const feature of without) Reflect.deleteProperty(left, feature)
  const touchy = <T>(value: T): T => {
    if (mock.fault === 'throws-in-getters') throw new Error('This getter throws')
    return value
  }
  const wallet: WalletWith = {
    version: '1.0.0',
    name,
    icon,
    get chains() {
      return touchy(chains)
    },
    get accounts() {
      return touchy(known)
    },
    get features() {
      return touchy(left)
    },
  }
  const connector: WalletConnector = {
    kind: 'wallet',
    id: name.toLowerCase().replace(/\s+/g, '-'),
    name,
    icon,
    readiness: 'ready',
    connectionType: 'browserExtension',
    wallet,
  }
  const mock: MockWallet = {
    wallet,
    connector,
    plugin: definePlugin({ id: connector.id, version: VERSION, setup: () => ({ connectors: [connector] }) }),
    fault: options.fault,
    requests,
    get listeners() {
      return listeners.size
    },
    async release() {
      const waiting = held
      held = []
      for (const resolve of waiting) resolve()
      await Promise.allSettled(running)
    },
    async switchAccount() {
      known = [await createAccount()]
      emit({ accounts: known })
    },
    emit,
  }
  return mock
}
