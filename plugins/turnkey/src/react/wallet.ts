import type { WalletCredential } from '@keybay/kernel/spec'
import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { AddAccountOptions, CreateWalletOptions } from '../api.js'
import { useInstance } from './instance.js'
import { getWalletsStore, NONE, type TurnkeyWalletsState } from './store.js'

export interface UseTurnkeyWallet extends TurnkeyWalletsState {
  /** Fetches the wallets again, for every component that uses the hook. */
  readonly refresh: Action<[], readonly WalletCredential[]>
  /** Run it in a click: the browser prompts for a new passkey. */
  readonly create: Action<[options?: CreateWalletOptions], readonly WalletCredential[]>
  /** Resolves with the new address. */
  readonly addAccount: Action<[options: AddAccountOptions], string>
}

/**
 * Returns the signed-in user's custody wallet: its accounts on Solana and EVM. To sign with them, connect `turnkey`.
 * @example
 * const { wallets, create } = useTurnkeyWallet()
 * return wallets?.length === 0 && <button onClick={() => create.run()}>Create a wallet</button>
 */
export function useTurnkeyWallet(): UseTurnkeyWallet {
  const instance = useInstance()
  const { turnkey } = instance
  const store = getWalletsStore(instance)
  const state = useSyncExternalStore(store.subscribe, store.get, () => NONE)
  return {
    ...state,
    refresh: useAction(() => store.refresh()),
    create: useAction((_signal: AbortSignal, options?: CreateWalletOptions) => turnkey.createWallet(options)),
    addAccount: useAction((_signal: AbortSignal, options: AddAccountOptions) => turnkey.addAccount(options)),
  }
}
