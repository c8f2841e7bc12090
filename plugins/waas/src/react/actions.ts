/**
 * Changes of embedded wallets, each as an `Action` of `@keybay/react`. The wallet's frame opens by itself when the user
 * has to see it; closing it rejects with `user_rejected`.
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

/** The action has its own signal: call its `abort`. */
type Without<T extends CallOptions> = Omit<T, 'signal'>

/** @example const create = useCreateWallet(); create.run({ scheme: 'TWO_OF_THREE', backup: { provider: 'external' } }) */
export function useCreateWallet(): Action<[options?: Without<CreateWalletOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, options?: Without<CreateWalletOptions>) =>
    waas.createWallet({ ...options, signal }),
  )
}
/** Without a `privateKey` the user enters it in the wallet's frame, where the page cannot read it. */
export function useImportPrivateKey(): Action<[options?: Without<ImportOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, options?: Without<ImportOptions>) =>
    waas.importPrivateKey({ ...options, signal }),
  )
}
/** Creates new shares of the same key. The old shares and their backup become worthless. */
export function useRefreshShares(): Action<[address: string, options?: Without<RefreshOptions>], WalletWithBackup> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, options?: Without<RefreshOptions>) =>
    waas.refresh(address, { ...options, signal }),
  )
}
/** Changes the scheme of the same key: `run(address, { to: 'THREE_OF_FIVE' })`. */
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
/** Revokes a share set: it can never sign again. */
export function useRevokeSet(): Action<[address: string, setId: string, options?: Without<CallOptions>], WaasWallet> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, setId: string, options?: Without<CallOptions>) =>
    waas.revokeSet(address, setId, { ...options, signal }),
  )
}
/** Null restores the environment's default. */
export function useSetPolicy(): Action<
  [address: string, policy: Policy | null, options?: Without<PolicyOptions>],
  WaasWallet
> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, policy: Policy | null, options?: Without<PolicyOptions>) =>
    waas.setPolicy(address, policy, { ...options, signal }),
  )
}
