/**
 * What a user does with their embedded wallets, each as an `Action` of `@keybay/react`. Where the wallet's own frame has to
 * be seen it opens by itself; closing it gives `user_rejected`.
 */
import { type Action, useAction } from '@keybay/react'
import type {
  CallOptions,
  CreateWalletOptions,
  ImportOptions,
  PolicyOptions,
  RefreshOptions,
  ReshareOptions,
} from '../client/api.js'
import type { WalletWithBackup } from '../protocol/messages.js'
import type { Policy, WaasWallet } from '../protocol/wallet.js'
import { useInstance } from './waas.js'

/** The signal is the action's own: `abort` it there. */
type Without<T extends CallOptions> = Omit<T, 'signal'>

/** @example const create = useCreateWallet(); create.run({ scheme: 'TWO_OF_THREE', backup: { provider: 'external' } }) */
export function useCreateWallet(): Action<[options?: Without<CreateWalletOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, options?: Without<CreateWalletOptions>) =>
    waas.createWallet({ ...options, signal }),
  )
}
/** Without a `privateKey` the user enters it in the wallet's own frame, where the page cannot see it. */
export function useImportPrivateKey(): Action<[options?: Without<ImportOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, options?: Without<ImportOptions>) =>
    waas.importPrivateKey({ ...options, signal }),
  )
}
/** New shares of the same key; the old ones, and their backup, become worthless. */
export function useRefreshShares(): Action<[address: string, options?: Without<RefreshOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, options?: Without<RefreshOptions>) =>
    waas.refresh(address, { ...options, signal }),
  )
}
/** The same key under another scheme: `run(address, { to: 'THREE_OF_FIVE' })`. */
export function useReshare(): Action<[address: string, options: Without<ReshareOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, options: Without<ReshareOptions>) =>
    waas.reshare(address, { ...options, signal }),
  )
}
/** Makes this browser a device of the wallet. */
export function useAddDevice(): Action<[address: string, options?: Without<RefreshOptions>], WaasWallet> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, options?: Without<RefreshOptions>) =>
    waas.addDevice(address, { ...options, signal }),
  )
}
/** The share set can never sign again. */
export function useRevokeSet(): Action<[address: string, setId: string, options?: Without<CallOptions>], WaasWallet> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, setId: string, options?: Without<CallOptions>) =>
    waas.revokeSet(address, setId, { ...options, signal }),
  )
}
/** Null: the environment's default again. */
export function useSetPolicy(): Action<
  [address: string, policy: Policy | null, options?: Without<PolicyOptions>],
  WaasWallet
> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, policy: Policy | null, options?: Without<PolicyOptions>) =>
    waas.setPolicy(address, policy, { ...options, signal }),
  )
}
