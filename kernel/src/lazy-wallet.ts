/** A Wallet Standard wallet whose code loads with the first call. Its feature objects exist at once. */
import type { Wallet } from '@wallet-standard/base'
import type { FeatureName, WalletFeatures, WalletWith } from './connector.js'
import { createListeners } from './events.js'
import { callMethod, loadOnce } from './lazy.js'
import { field } from './spec/shape.js'

/** Names of the methods of a feature. */
type MethodName<Feature> = {
  readonly [K in keyof Feature]-?: Feature[K] extends (...args: never[]) => unknown ? K : never
}[keyof Feature]

export interface LazyWalletOptions<F extends FeatureName> extends Pick<Wallet, 'name' | 'icon' | 'chains'> {
  /** The methods of each feature. `standard:events` is always there, and forwards the changes of the loaded wallet. */
  readonly features: { readonly [K in F]: readonly MethodName<WalletFeatures[K]>[] }
  /** Other properties of a feature, e.g. `supportedTransactionVersions`. `version` is `1.0.0` by default. */
  readonly facts?: { readonly [K in F]?: Partial<WalletFeatures[K]> }
}
export type LazyWallet<F extends FeatureName> = WalletWith<F | 'standard:events'> & { preload(): Promise<Wallet> }

type Change = Readonly<Record<string, unknown>>
interface Events {
  on(event: 'change', listener: (change: Change) => void): () => void
}

/** Copies bytes and plain data, but not the field `kept`. Bytes not by `slice`, because a slice of a Buffer shares its memory. */
function copy(value: unknown, kept?: string): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(item => copy(item))
  const isPlain = !Object.getPrototypeOf(Object.getPrototypeOf(value ?? '') ?? Object.prototype)
  return isPlain
    ? Object.fromEntries(
        Object.entries(Object(value)).map(([name, inner]) => [name, name === kept ? inner : copy(inner)]),
      )
    : value
}

/**
 * @example
 * const wallet = lazyWallet({ name: 'Acme', icon, chains: ['solana:mainnet'],
 *   features: { 'standard:connect': ['connect'], 'solana:signMessage': ['signMessage'] } }, () => import('./heavy.js').then(m => m.wallet))
 */
export function lazyWallet<F extends FeatureName>(
  options: LazyWalletOptions<F>,
  load: () => Promise<Wallet>,
): LazyWallet<F>
export function lazyWallet(
  { name, icon, chains, features, facts = {} }: LazyWalletOptions<FeatureName>,
  load: () => Promise<Wallet>,
): Wallet & { preload(): Promise<Wallet> } {
  const listeners = createListeners<[change: Change]>(error => {
    throw error // the wallet that reported the change gets it
  })
  let loaded: Wallet | undefined
  const preload = loadOnce(async () => {
    loaded = await load()
    const events = loaded.features['standard:events']
    if (events) callMethod(events, 'on', ['change', listeners.emit])
    return loaded
  })
  const lazyFeatures = Object.entries<readonly string[]>(features).map(([feature, methods]) => {
    const calls = methods.map(method => [
      method,
      async (...args: readonly unknown[]) => {
        // Copied before anything waits: the app may change its data while the code loads, or while the user reads it.
        // Many wallets compare their accounts by identity.
        const inputs = args.map(input => copy(input, 'account'))
        return callMethod(field((await preload()).features, feature), method, inputs)
      },
    ])
    return [feature, { version: '1.0.0', ...Reflect.get(facts, feature), ...Object.fromEntries(calls) }]
  })
  const events: Events & { readonly version: string } = {
    version: '1.0.0',
    on: (_event, listener) => listeners.add(listener),
  }
  return {
    version: '1.0.0',
    name,
    icon,
    chains,
    get accounts() {
      return loaded?.accounts ?? []
    },
    features: { ...Object.fromEntries(lazyFeatures), 'standard:events': events },
    preload,
  }
}
