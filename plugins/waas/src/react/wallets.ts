import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'
import { type EmbeddedWalletsState, getWalletsStore, NONE } from './store.js'
import { useInstance } from './waas.js'

export interface UseEmbeddedWallets extends EmbeddedWalletsState {
  /** Loads the wallets again, for every component that uses the hook. */
  readonly refresh: Action<[], readonly WaasWallet[]>
}

/**
 * Returns the embedded wallets of the signed-in user, of this and other browsers. Loads them with the first component,
 * and again after each change. To sign with them, connect `waas`: then `useAccounts` lists them.
 *
 * @example
 * const { wallets, status } = useEmbeddedWallets()
 * return wallets?.map(({ walletId, accountAddress }) => <li key={walletId}>{accountAddress}</li>)
 */
export function useEmbeddedWallets(): UseEmbeddedWallets {
  const store = getWalletsStore(useInstance())
  const state = useSyncExternalStore(store.subscribe, store.get, () => NONE)
  return { ...state, refresh: useAction((signal: AbortSignal) => store.refresh(signal)) }
}
