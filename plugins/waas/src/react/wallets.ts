import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'
import { type EmbeddedWalletsState, NONE, walletsStoreOf } from './store.js'
import { useInstance } from './waas.js'

export interface UseEmbeddedWallets extends EmbeddedWalletsState {
  /** Asks again; everybody who uses the hook sees the answer. */
  readonly refresh: Action<[], readonly WaasWallet[]>
}

/**
 * The embedded wallets of who is signed in, here or elsewhere. Loads with the first component that uses it, and again
 * whenever one was created, changed or revoked. To sign with them, connect `waas`: then they are among `useAccounts`.
 *
 * @example
 * const { wallets, status } = useEmbeddedWallets()
 * return wallets?.map(({ walletId, accountAddress }) => <li key={walletId}>{accountAddress}</li>)
 */
export function useEmbeddedWallets(): UseEmbeddedWallets {
  const store = walletsStoreOf(useInstance())
  const state = useSyncExternalStore(store.subscribe, store.get, () => NONE)
  return { ...state, refresh: useAction((signal: AbortSignal) => store.refresh(signal)) }
}
