import { type Action, useAction } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { BackupOptions, VerifyBackupOptions } from '../client/api.js'
import { hasBackupShare } from '../protocol/backup-scheme.js'
import type { BackupReceipt, BackupStatus } from '../protocol/wallet.js'
import { NONE, walletsStoreOf } from './store.js'
import { useInstance } from './waas.js'

export interface UseWalletBackup {
  /** Undefined until the wallets are known. Anything but `current` is worth a nudge. */
  readonly status: BackupStatus | undefined
  /** Whether the wallet has a part to back up; if not, pass `reshare: true`, and say so first. */
  readonly hasBackupPart: boolean | undefined
  readonly backup: Action<[options: Omit<BackupOptions, 'signal'>], BackupReceipt>
  /** Reads the backup back and opens it. */
  readonly verify: Action<[options: Omit<VerifyBackupOptions, 'signal'>], BackupReceipt>
}

/**
 * The backup of one wallet: how it stands, and what can be done. Run the actions in a press: a drive opens a window.
 *
 * @example
 * const { status, backup } = useWalletBackup(address)
 * return status?.state === 'none' && <button onClick={() => backup.run({ backup: { provider: 'googleDrive' } })}>Back up</button>
 */
export function useWalletBackup(address: string): UseWalletBackup {
  const instance = useInstance()
  const { waas } = instance
  const store = walletsStoreOf(instance)
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
