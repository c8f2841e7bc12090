import { createOwnWallets, NO_WALLETS, type OwnWalletsState, type OwnWalletsStore } from '@keybay/account/react'
import type { WalletCredential } from '@keybay/kernel/spec'
import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { AddAccountOptions, CreateWalletOptions, ExportKeyOptions } from '../api.js'
import { useInstance, type WithTurnkey } from './instance.js'

export type TurnkeyWalletsState = OwnWalletsState<WalletCredential>
type WalletsStore = OwnWalletsStore<WalletCredential>

function createWalletsStore({ turnkey, session, on }: WithTurnkey): WalletsStore {
  return createOwnWallets({
    session,
    read: () => turnkey.wallets(),
    watch: ({ set }) => on('turnkey:wallets', ({ wallets }) => set(wallets)),
  })
}

const stores = new WeakMap<WithTurnkey, WalletsStore>()

function getWalletsStore(keybay: WithTurnkey): WalletsStore {
  const store = stores.get(keybay) ?? createWalletsStore(keybay)
  stores.set(keybay, store)
  return store
}

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
  const state = useSyncExternalStore(store.subscribe, store.get, () => NO_WALLETS)
  return {
    ...state,
    refresh: useAction(() => store.refresh()),
    create: useAction((_signal: AbortSignal, options?: CreateWalletOptions) => turnkey.createWallet(options)),
    addAccount: useAction((_signal: AbortSignal, options: AddAccountOptions) => turnkey.addAccount(options)),
  }
}
/**
 * Shows a key to the user in a separate window; the page never receives it. Completes when the user is done.
 * @example const exportKey = useTurnkeyExport(); exportKey.run(address, { displayContainer: place.current })
 */
export function useTurnkeyExport(): Action<[address: string, options: Omit<ExportKeyOptions, 'signal'>], void> {
  const { turnkey } = useInstance()
  return useAction((signal: AbortSignal, address: string, options: Omit<ExportKeyOptions, 'signal'>) =>
    turnkey.exportKey(address, { ...options, signal }),
  )
}
/**
 * Signs EIP-712 typed data with an EVM account.
 * @example const sign = useTurnkeySignTypedData(); sign.run(address, JSON.stringify(typedData))
 */
export function useTurnkeySignTypedData(): Action<[address: string, typedData: string], string> {
  const { turnkey } = useInstance()
  return useAction((_signal: AbortSignal, address: string, typedData: string) =>
    turnkey.signTypedData(address, typedData),
  )
}
