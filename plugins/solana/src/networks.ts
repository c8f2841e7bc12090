/** Available networks and the current one. Holds only what every page needs; the full records load with the engine. */
import { createStore, type Kernel, type Store } from '@keybay/kernel'
import type { SolanaCluster, SolanaNetwork } from '@keybay/kernel/spec'

export type Cluster = SolanaCluster

/** Network for lists and buttons; also the `connection` of a send. */
export interface NetworkSummary {
  /** 101 mainnet, 102 testnet, 103 devnet, 104 localnet (S9.6). */
  readonly networkId: number
  /** `mainnet-beta`, `testnet`, `devnet`, `localnet`, or the app's own. */
  readonly cluster: string
  /** Name of a known network's cluster, or the name in the app's own record. */
  readonly name: string
  /** True if its coins are worthless and available by airdrop. */
  readonly isTestnet: boolean
}
/** Store of the networks and the current one. Snapshots keep their reference until a change. */
export interface SolanaNetworks {
  list(): readonly NetworkSummary[]
  /** Undefined if the app enabled no network; every call then rejects with "No enabled networks". */
  current(): NetworkSummary | undefined
  /** Network for server rendering, which knows neither the page's host nor the stored choice. */
  serverCurrent(): NetworkSummary | undefined
  /** Changes the network and stores it. @returns false if the network does not exist */
  select(networkId: number): boolean
  /** The first subscriber starts restoring the stored choice. */
  subscribe(listener: () => void): () => void
}
export interface NetworkOptions {
  /** Initial network. Default `localnet` on local hosts, else `mainnet-beta` (S9.6, S9.13). */
  readonly cluster?: Cluster
  /**
   * Replaces the four known networks, and the operator's records of them: with `@keybay/account`, the first call of a network
   * reads them from the environment's settings, unless `endpoints` or the user name its node. An invalid record makes every
   * call reject with `record_invalid`, which names the network and the field.
   */
  readonly networks?: readonly SolanaNetwork[]
}

export interface NetworkControl extends SolanaNetworks {
  /** Settles when the stored choice has been read. */
  restore(): Promise<void>
}

const KEY = 'solana'

export function createNetworks(
  { storage, logger }: Pick<Kernel, 'storage' | 'logger'>,
  { cluster, networks }: NetworkOptions,
): NetworkControl {
  const all: readonly NetworkSummary[] =
    networks?.map(({ networkId, cluster, name, isTestnet }) => ({ networkId, cluster, name, isTestnet })) ??
    ['mainnet-beta', 'testnet', 'devnet', 'localnet'].map((cluster, index) => ({
      networkId: 101 + index,
      cluster,
      name: cluster,
      isTestnet: index > 0,
    }))
  const find = (idOrCluster: unknown) =>
    all.find(network => network.networkId === idOrCluster || network.cluster === idOrCluster)
  const begin = (otherwise: Cluster) => find(cluster ?? otherwise) ?? all[0]
  const server = begin('mainnet-beta')
  // Read once: a later choice in another tab must not change where this tab sends.
  let settled = false
  const restore = async () => {
    const id = await storage.get(KEY)
    if (!settled) store.set(find(id) ?? store.get())
    settled = true
  }
  const store: Store<NetworkSummary | undefined> = createStore(
    /localhost$|^127[\d.]+$|^\[::1/.test(globalThis.location?.hostname) ? begin('localnet') : server,
    error => logger.error(KEY, error),
    () => void restore(),
  )
  return {
    restore,
    list: () => all,
    current: store.get,
    serverCurrent: () => server,
    subscribe: store.subscribe,
    select(id) {
      const next = find(id)
      if (next) {
        settled = true
        store.set(next)
        void storage.set(KEY, id)
      }
      return !!next
    },
  }
}
