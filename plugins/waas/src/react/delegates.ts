import { type Action, useAction } from '@keybay/react'
import type { CallOptions, DelegateKeySharesOptions } from '../client/api.js'
import type { ShareSet, WaasWallet } from '../protocol/wallet.js'
import { useInstance } from './waas.js'
import { useEmbeddedWallets } from './wallets.js'

type Without<T> = Omit<T, 'signal'>
export interface UseDelegates {
  /** Servers that sign without the user, with their names and rules. Undefined while the wallets load. */
  readonly delegates: readonly ShareSet[] | undefined
  /**
   * Pass `sealedShare` to the server. Once the server has it, `refresh` of `useEmbeddedWallets` lists it in
   * `delegates`.
   */
  readonly delegate: Action<
    [options: Without<DelegateKeySharesOptions>],
    { readonly setId: string; readonly sealedShare: Uint8Array }
  >
  readonly revoke: Action<[setId: string, options?: Without<CallOptions>], WaasWallet>
}

/**
 * Returns the servers that may sign for a wallet.
 *
 * @example
 * const { delegates, delegate } = useDelegates(address)
 * const { sealedShare } = await delegate.runAsync({ delegatePublicKey, delegateName: 'Salaries', policy })
 */
export function useDelegates(address: string): UseDelegates {
  const { waas } = useInstance()
  const { wallets } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return {
    delegates: wallet?.sets.filter(({ kind, revoked }) => kind === 'delegate' && !revoked),
    delegate: useAction((signal: AbortSignal, options: Without<DelegateKeySharesOptions>) =>
      waas.delegateKeyShares(address, { ...options, signal }),
    ),
    revoke: useAction((signal: AbortSignal, setId: string, options?: Without<CallOptions>) =>
      waas.revokeSet(address, setId, { ...options, signal }),
    ),
  }
}
