/** A Wallet Standard wallet whose code arrives with the first call: real feature objects at once, one load for all. */
import type { IdentifierArray, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'

type Call = (...args: readonly unknown[]) => unknown
export interface LazyWalletOptions {
  readonly name: string
  readonly icon: WalletIcon
  readonly chains: IdentifierArray
  /** feature → its methods. `standard:events` needs no mention: it is there, and forwards what the real wallet emits. */
  readonly features: Readonly<Record<string, readonly string[]>>
  /** feature → what its object holds besides methods, e.g. `supportedTransactionVersions`. `version` is `1.0.0` by default. */
  readonly facts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
interface Events {
  on(event: 'change', listener: (change: Readonly<Record<string, unknown>>) => void): () => void
}

function isEvents(feature: unknown): feature is Events {
  return typeof feature === 'object' && feature !== null && 'on' in feature && typeof feature.on === 'function'
}

function isCall(value: unknown): value is Call {
  return typeof value === 'function'
}

/**
 * @example
 * const wallet = lazyWallet({ name: 'Acme', icon, chains: ['solana:mainnet'],
 *   features: { 'standard:connect': ['connect'], 'solana:signMessage': ['signMessage'] } }, () => import('./heavy.js').then(m => m.wallet))
 */
export function lazyWallet(
  options: LazyWalletOptions,
  load: () => Promise<Wallet>,
): Wallet & { preload(): Promise<Wallet> } {
  const listeners = new Set<Parameters<Events['on']>[1]>()
  let real: Wallet | undefined
  let loading: Promise<Wallet> | undefined
  const preload = () => {
    loading ??= load().then(
      wallet => {
        real = wallet
        const events = wallet.features['standard:events']
        if (isEvents(events))
          events.on('change', change => {
            for (const listener of listeners) listener(change)
          })
        return wallet
      },
      error => {
        loading = undefined // offline now; the next call tries again
        throw error
      },
    )
    return loading
  }
  const call =
    (feature: string, method: string): Call =>
    async (...args) => {
      const wallet = await preload()
      const target = new Map(Object.entries(wallet.features)).get(feature)
      const run: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, method) : undefined
      if (!isCall(run)) throw new TypeError(`${feature} has no ${method}`)
      return run.apply(target, [...args])
    }
  const features = Object.fromEntries(
    Object.entries(options.features).map(([feature, methods]) => [
      feature,
      {
        version: '1.0.0',
        ...options.facts?.[feature],
        ...Object.fromEntries(methods.map(method => [method, call(feature, method)])),
      },
    ]),
  )
  const events: Events & { readonly version: '1.0.0' } = {
    version: '1.0.0',
    on(_event, listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
  return {
    version: '1.0.0',
    name: options.name,
    icon: options.icon,
    chains: options.chains,
    get accounts(): readonly WalletAccount[] {
      return real?.accounts ?? []
    },
    features: { ...features, 'standard:events': events },
    preload,
  }
}
