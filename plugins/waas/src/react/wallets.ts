import { createOwnWallets, NO_WALLETS, type OwnWalletsState, type OwnWalletsStore } from '@keybay/account/react'
import { type Core, KeybayError, type KeybayEvents, pluginMissing } from '@keybay/kernel'
import { type Action, useAction, useKeybay } from '@keybay/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { WaasApi } from '../client/api.js'
import type { WaasWallet } from '../protocol/wallet.js'

/** A Keybay instance with the plugin `waas()`. */
type WithWaas = Pick<Core, 'session' | 'on'> & { readonly waas: WaasApi }

function hasWaas(keybay: Pick<Core, 'session' | 'on'>): keybay is WithWaas {
  return 'waas' in keybay
}

/** @throws KeybayError `plugin_missing` if the instance has no plugin `waas()` */
function useInstance(): WithWaas {
  const keybay = useKeybay()
  if (!hasWaas(keybay)) throw new KeybayError(pluginMissing, { detail: "add waas() of '@keybay/waas' to plugins" })
  return keybay
}

/** Turns a call of `keybay.waas` into an action. */
export function useCall<Args extends readonly unknown[], T>(
  call: (waas: WaasApi, signal: AbortSignal, ...args: Args) => Promise<T>,
): Action<Args, T> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, ...args: Args) => call(waas, signal, ...args))
}

export type EmbeddedWalletsState = OwnWalletsState<WaasWallet>

/** One store per Keybay instance. Loads the wallets again when they may have changed. */
const stores = new WeakMap<WithWaas, OwnWalletsStore<WaasWallet>>()

function useStore(): OwnWalletsStore<WaasWallet> {
  const instance = useInstance()
  const { waas, session, on } = instance
  const store =
    stores.get(instance) ??
    createOwnWallets<WaasWallet>({
      session,
      read: signal => waas.wallets({ signal }),
      watch: ({ reload }) => on('waas:wallets-changed', reload),
    })
  stores.set(instance, store)
  return store
}

export interface UseEmbeddedWallets extends EmbeddedWalletsState {
  /** Loads the wallets again, for every component that uses the hook. */
  readonly refresh: Action<[], readonly WaasWallet[]>
}

/**
 * Returns the embedded wallets of the signed-in user, of this and other browsers. Loads them with the first component,
 * again after each change, and in the background with a component that comes more than 30 s later. To sign with them,
 * connect `waas`: then `useAccounts` lists them.
 * @example
 * const { wallets, status } = useEmbeddedWallets()
 * return wallets?.map(({ walletId, accountAddress }) => <li key={walletId}>{accountAddress}</li>)
 */
export function useEmbeddedWallets(): UseEmbeddedWallets {
  const store = useStore()
  const state = useSyncExternalStore(store.subscribe, store.get, (): EmbeddedWalletsState => NO_WALLETS)
  return { ...state, refresh: useAction((signal: AbortSignal) => store.refresh(signal)) }
}

/** Returns a wallet of the list by its address. */
export function useWallet(address: string): WaasWallet | undefined {
  const store = useStore()
  const { wallets } = useSyncExternalStore(store.subscribe, store.get, (): EmbeddedWalletsState => NO_WALLETS)
  return wallets?.find(({ accountAddress }) => accountAddress === address)
}

export type WalletProgress = KeybayEvents['waas:progress']

/**
 * Returns the progress of the newest long operation: create, import, refresh, reshare. Undefined before its first step.
 * It stays after the last step: show it while an action is `pending`.
 * @param address only operations of this wallet; default: all wallets
 * @example const progress = useWalletProgress(); <progress value={progress?.number} max={progress?.of} />
 */
export function useWalletProgress(address?: string): WalletProgress | undefined {
  const { on } = useInstance()
  const [progress, show] = useState<WalletProgress>()
  useEffect(
    () =>
      on('waas:progress', next => {
        if (address === undefined || next.address === address) show(next)
      }),
    [on, address],
  )
  return progress
}
