import { useSyncExternalStore } from 'react'
import type { NetworkSummary } from '../networks.js'
import { useSolana } from './solana.js'

export interface UseNetwork {
  /** Undefined if the app enabled no network. */
  readonly network: NetworkSummary | undefined
  readonly networks: readonly NetworkSummary[]
  /** Changes the network for the whole instance and stores it. @returns false if the network does not exist */
  readonly select: (networkId: number) => boolean
}
/** @example const { network, networks, select } = useNetwork() */
export function useNetwork(): UseNetwork {
  const { networks } = useSolana()
  const network = useSyncExternalStore(networks.subscribe, networks.current, networks.serverCurrent)
  return { network, networks: networks.list(), select: networks.select }
}
