/** Which networks there are and which one is in use. Only what every page needs; the full records load with the engine. */
import { createStore, type Kernel, type Store } from '@keybay/kernel'
import type { SolanaNetwork } from '@keybay/kernel/spec'

export type Cluster = 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet'

/** A network as lists and buttons show it; also the `connection` of a send. */
export interface NetworkSummary {
  /** 101 mainnet, 102 testnet, 103 devnet, 104 localnet (S9.6). */
  readonly networkId: number
  /** `mainnet-beta`, `testnet`, `devnet`, `localnet`, or the host's own. */
  readonly cluster: string
  /** Of a known network its cluster's; of the host's own its record's. */
  readonly name: string
  /** Its coins are worth nothing, and may be had by airdrop. */
  readonly isTestnet: boolean
}
/** The networks and the one in use. Snapshots keep their reference until something changed. */
export interface SolanaNetworks {
  list(): readonly NetworkSummary[]
  /** Undefined when the host enabled none; every call then rejects with "No enabled networks". */
  current(): NetworkSummary | undefined
  /** What a server renders, which knows neither the page's host nor what was stored. */
  serverCurrent(): NetworkSummary | undefined
  /** Changes the network and stores it. @returns false when there is no such network */
  select(networkId: number): boolean
  /** The first subscriber starts the restoring of what was stored. */
  subscribe(listener: () => void): () => void
}
export interface NetworkOptions {
  /** The network to begin with. Default `localnet` on local hosts, else `mainnet-beta` (S9.6, S9.13). */
  readonly cluster?: Cluster
  /** Instead of the four known ones. A wrong record makes every call reject with `record_invalid`, which names the network and the field. */
  readonly networks?: readonly SolanaNetwork[]
}
/** What the engine needs besides. */
export interface NetworkControl extends SolanaNetworks {
  /** Settles when what was stored has been read. */
  restore(): Promise<void>
}

/** Of the chosen network's id, in the instance's storage. */
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
  const find = (wanted: unknown) => all.find(one => one.networkId === wanted || one.cluster === wanted)
  const begin = (otherwise: Cluster) => find(cluster ?? otherwise) ?? all[0]
  const server = begin('mainnet-beta')
  // Once: what another tab chooses later must not change where this one sends.
  let settled = false
  const restore = async () => {
    const id = await storage.get(KEY)
    store.set((!settled && find(id)) || store.get())
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
