/** Which networks there are and which one is in use. Only what every page needs; the full records load with the engine. */
import { createStore, type Kernel, KeybayError, type Store } from '@keybay/kernel'
import { noEnabledNetworks, type SolanaNetwork, unsupportedChain } from '@keybay/kernel/spec'

export type Cluster = 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet'

/** A network as lists and buttons show it; also the `connection` of a send. */
export interface NetworkSummary {
  /** 101 mainnet, 102 testnet, 103 devnet, 104 localnet (S9.6). */
  readonly networkId: number
  /** `mainnet-beta`, `testnet`, `devnet`, `localnet`, or the host's own. */
  readonly cluster: string
  /** As Wallet Standard names it: `solana:mainnet`, `solana:devnet`, … */
  readonly chain: `solana:${string}`
  readonly name: string
  /** Its coins are worth nothing, and may be had by airdrop. */
  readonly isTestnet: boolean
}
/** The networks and the one in use. Snapshots keep their reference until something changed. */
export interface SolanaNetworks {
  list(): readonly NetworkSummary[]
  current(): NetworkSummary
  /** What a server renders, which knows neither the page's host nor what was stored. */
  serverCurrent(): NetworkSummary
  /** Changes the network and stores it. @throws KeybayError `unsupported_chain` when it is not in the list */
  select(networkId: number): void
  /** The first subscriber starts the restoring of what was stored. */
  subscribe(listener: () => void): () => void
}
export interface NetworkOptions {
  /** The network to begin with. Default `localnet` on local hosts, else `mainnet-beta` (S9.6, S9.13). */
  readonly cluster?: Cluster
  /** Instead of the four known ones. An empty list throws "No enabled networks". */
  readonly networks?: readonly SolanaNetwork[]
}
/** What the engine needs besides. */
export interface NetworkControl {
  readonly networks: SolanaNetworks
  /** Settles when what was stored has been read. */
  restored(): Promise<void>
}

const KEY = 'solana:network'
const KNOWN: readonly (readonly [networkId: number, cluster: Cluster, name: string])[] = [
  [101, 'mainnet-beta', 'Solana'],
  [102, 'testnet', 'Solana Testnet'],
  [103, 'devnet', 'Solana Devnet'],
  [104, 'localnet', 'Solana Localnet'],
]
const summary = (networkId: number, cluster: string, name: string, isTestnet: boolean): NetworkSummary => ({
  networkId,
  cluster,
  chain: `solana:${cluster.replace('-beta', '')}`,
  name,
  isTestnet,
})

/** @throws KeybayError `no_enabled_networks` */
export const createNetworks = (
  { storage, logger }: Pick<Kernel, 'storage' | 'logger'>,
  { cluster, networks }: NetworkOptions,
): NetworkControl => {
  const all = networks
    ? networks.map(one => summary(one.networkId, one.cluster, one.name, one.isTestnet))
    : KNOWN.map(([id, of, name]) => summary(id, of, name, id > 101))
  const first = all[0]
  if (!first) throw new KeybayError(noEnabledNetworks)
  const byCluster = (wanted: string) => all.find(one => one.cluster === wanted) ?? first
  const local = /(^|\.)localhost$|^127\.|^\[::1]$/.test(globalThis.location?.hostname)
  const server = byCluster(cluster ?? 'mainnet-beta')
  let restoring: Promise<void> | undefined
  let chosen = false
  const restored = () => {
    restoring ??= storage.get(KEY).then(id => {
      const stored = all.find(({ networkId }) => networkId === id)
      // What was chosen while the storage was being read is newer.
      if (stored && !chosen) store.set(stored)
    })
    return restoring
  }
  const store: Store<NetworkSummary> = createStore(
    cluster || !local ? server : byCluster('localnet'),
    error => logger.error('solana', error),
    () => void restored(),
  )
  return {
    restored,
    networks: {
      list: () => all,
      current: store.get,
      serverCurrent: () => server,
      select(id) {
        const next = all.find(({ networkId }) => networkId === id)
        if (!next) throw new KeybayError(unsupportedChain, { details: { networkId: id } })
        chosen = true
        store.set(next)
        void storage.set(KEY, id)
      },
      subscribe: store.subscribe,
    },
  }
}
