import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { BackupOptions, VerifyBackupOptions } from '../client/api.js'
import { hasBackupShare } from '../protocol/backup-scheme.js'
import type { BackupReceipt, BackupStatus } from '../protocol/wallet.js'
import { getWalletsStore, NONE } from './store.js'
import { useInstance } from './waas.js'

export interface UseWalletBackup {
  /** Undefined until the wallets are loaded. Remind the user of any state but `current`. */
  readonly status: BackupStatus | undefined
  /** False: the scheme has no backup share; pass `reshare: true`, and tell the user first. */
  readonly hasBackupPart: boolean | undefined
  readonly backup: Action<[options: Omit<BackupOptions, 'signal'>], BackupReceipt>
  /** Reads the backup back and opens it. */
  readonly verify: Action<[options: Omit<VerifyBackupOptions, 'signal'>], BackupReceipt>
}

/**
 * Returns the backup status of a wallet, and actions. Run the actions in a click: a drive opens a window.
 *
 * @example
 * const { status, backup } = useWalletBackup(address)
 * return status?.state === 'none' && <button onClick={() => backup.run({ backup: { provider: 'googleDrive' } })}>Back
 * up</button>
 */
export function useWalletBackup(address: string): UseWalletBackup {
  const instance = useInstance()
  const { waas } = instance
  const store = getWalletsStore(instance)
  const { wallets } = useSyncExternalStore(store.subscribe, store.get, () => NONE)
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return {
    status: wallet?.backup,
    hasBackupPart: wallet && hasBackupShare(wallet.thresholdSignatureScheme),
    backup: useAction((signal: AbortSignal, options: Omit<BackupOptions, 'signal'>) =>
      waas.backup(address, { ...options, signal }),
    ),
    verify: useAction((signal: AbortSignal, options: Omit<VerifyBackupOptions, 'signal'>) =>
      waas.verifyBackup(address, { ...options, signal }),
    ),
  }
}
