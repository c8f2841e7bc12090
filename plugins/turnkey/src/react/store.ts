/** Store of the signed-in user's wallets, one per instance; an event carries the new list. */
import { createOwnWallets, NO_WALLETS, type OwnWalletsState, type OwnWalletsStore } from '@keybay/account/react'
import type { WalletCredential } from '@keybay/kernel/spec'
import type { WithTurnkey } from './instance.js'

export type TurnkeyWalletsState = OwnWalletsState<WalletCredential>
export type WalletsStore = OwnWalletsStore<WalletCredential>
export const NONE: TurnkeyWalletsState = NO_WALLETS

function createWalletsStore({ turnkey, session, on }: WithTurnkey): WalletsStore {
  return createOwnWallets({
    session,
    read: () => turnkey.wallets(),
    watch: ({ set }) => on('turnkey:wallets', ({ wallets }) => set(wallets)),
  })
}

const stores = new WeakMap<WithTurnkey, WalletsStore>()

export function getWalletsStore(keybay: WithTurnkey): WalletsStore {
  const store = stores.get(keybay) ?? createWalletsStore(keybay)
  stores.set(keybay, store)
  return store
}
