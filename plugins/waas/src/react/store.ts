/** The signed-in user's wallets: one store per Keybay instance. Loads them again when they may have changed. */
import { createOwnWallets, NO_WALLETS, type OwnWalletsState, type OwnWalletsStore } from '@keybay/account/react'
import type { WaasWallet } from '../protocol/wallet.js'
import type { WithWaas } from './waas.js'

export type EmbeddedWalletsState = OwnWalletsState<WaasWallet>
export type WalletsStore = OwnWalletsStore<WaasWallet>
export const NONE: EmbeddedWalletsState = NO_WALLETS

function createWalletsStore({ waas, session, on }: WithWaas): WalletsStore {
  return createOwnWallets({
    session,
    read: signal => waas.wallets({ signal }),
    watch: ({ reload }) => on('waas:wallets-changed', reload),
  })
}

const stores = new WeakMap<WithWaas, WalletsStore>()

export function getWalletsStore(keybay: WithWaas): WalletsStore {
  const store = stores.get(keybay) ?? createWalletsStore(keybay)
  stores.set(keybay, store)
  return store
}
