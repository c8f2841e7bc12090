/** Restore and export as actions. Each shows the wallet's window in an element of the page. */
import { type Action, useAction } from '@keybay/react'
import type { CallOptions } from '../client/api.js'
import type { ExportOptions, RestoreOptions } from '../client/recovery-api.js'
import type { WaasWallet } from '../protocol/wallet.js'
import { useInstance } from './waas.js'

type Without<T> = Omit<T, 'signal'>

/** @example const restore = useRestoreBackup(); restore.run(address, { displayContainer, backup: { provider: 'external' } }) */
export function useRestoreBackup(): Action<[address: string, options: Without<RestoreOptions>], WaasWallet> {
  const { waas } = useInstance()
  return useAction((signal: AbortSignal, address: string, options: Without<RestoreOptions>) =>
    waas.restoreBackup(address, { ...options, signal }),
  )
}

export interface UseWalletExport {
  /** Shows the private key to the user; it never reaches the page. Resolves when the user is done. */
  readonly exportKey: Action<[address: string, options: Without<ExportOptions>], void>
  /** Returns this browser's share, encrypted, base64, for an offline recovery. */
  readonly exportShares: Action<[address: string, options?: Without<CallOptions>], readonly string[]>
}
/** @example const { exportKey } = useWalletExport(); exportKey.run(address, { displayContainer: place.current }) */
export function useWalletExport(): UseWalletExport {
  const { waas } = useInstance()
  return {
    exportKey: useAction((signal: AbortSignal, address: string, options: Without<ExportOptions>) =>
      waas.exportPrivateKey(address, { ...options, signal }),
    ),
    exportShares: useAction((signal: AbortSignal, address: string, options?: Without<CallOptions>) =>
      waas.exportClientKeyshares(address, { ...options, signal }),
    ),
  }
}
