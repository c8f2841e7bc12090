/** Operations of embedded wallets as actions. Closing the wallet's frame rejects with `user_rejected`. */
import type { WalletOperation } from '@keybay/kernel/spec'
import type { Action } from '@keybay/react'
import type {
  BackupOptions,
  CallOptions,
  CreateWalletOptions,
  DelegateKeySharesOptions,
  ImportOptions,
  PolicyOptions,
  RefreshOptions,
  ReshareOptions,
  VerifyBackupOptions,
} from '../client/api.js'
import type {
  ExportOptions,
  RestoreOptions,
  SetPasswordOptions,
  UpdatePasswordOptions,
} from '../client/recovery-api.js'
import { hasBackupShare } from '../protocol/backup-scheme.js'
import type { WalletWithBackup } from '../protocol/messages.js'
import type { BackupReceipt, BackupStatus, Policy, ShareSet, WaasWallet } from '../protocol/wallet.js'
import { useCall, useWallet } from './wallets.js'

/** The action has its own signal: call its `abort`. */
type Without<T> = Omit<T, 'signal'>

/** @example const create = useCreateWallet(); create.run({ scheme: 'TWO_OF_THREE', backup: { provider: 'external' } }) */
export function useCreateWallet(): Action<[options?: Without<CreateWalletOptions>], WalletWithBackup> {
  return useCall((waas, signal, options) => waas.createWallet({ ...options, signal }))
}
/**
 * Imports a key. Without a `privateKey` the user enters it in the wallet's frame, where the page cannot read it.
 *
 * @example const importKey = useImportPrivateKey(); importKey.run()
 */
export function useImportPrivateKey(): Action<[options?: Without<ImportOptions>], WalletWithBackup> {
  return useCall((waas, signal, options) => waas.importPrivateKey({ ...options, signal }))
}
/**
 * Creates new shares of the same key. The old shares and their backup become worthless.
 *
 * @example const refresh = useRefreshShares(); refresh.run(address)
 */
export function useRefreshShares(): Action<[address: string, options?: Without<RefreshOptions>], WalletWithBackup> {
  return useCall((waas, signal, address, options) => waas.refresh(address, { ...options, signal }))
}
/**
 * Changes the scheme of the same key.
 *
 * @example const reshare = useReshare(); reshare.run(address, { to: 'THREE_OF_FIVE' })
 */
export function useReshare(): Action<[address: string, options: Without<ReshareOptions>], WalletWithBackup> {
  return useCall((waas, signal, address, options) => waas.reshare(address, { ...options, signal }))
}
/**
 * Makes this browser a device of the wallet.
 *
 * @example const addDevice = useAddDevice(); addDevice.run(address)
 */
export function useAddDevice(): Action<[address: string, options?: Without<RefreshOptions>], WaasWallet> {
  return useCall((waas, signal, address, options) => waas.addDevice(address, { ...options, signal }))
}
/**
 * Revokes a share set: it can never sign again.
 *
 * @example const revoke = useRevokeSet(); revoke.run(address, setId)
 */
export function useRevokeSet(): Action<[address: string, setId: string, options?: Without<CallOptions>], WaasWallet> {
  return useCall((waas, signal, address, setId, options) => waas.revokeSet(address, setId, { ...options, signal }))
}
/**
 * Requests a policy, which the user agrees to. Null restores the environment's default.
 *
 * @example const setPolicy = useSetPolicy(); setPolicy.run(address, null)
 */
export function useSetPolicy(): Action<
  [address: string, policy: Policy | null, options?: Without<PolicyOptions>],
  WaasWallet
> {
  return useCall((waas, signal, address, policy, options) => waas.setPolicy(address, policy, { ...options, signal }))
}
/** @example const restore = useRestoreBackup(); restore.run(address, { displayContainer, backup: { provider: 'external' } }) */
export function useRestoreBackup(): Action<[address: string, options: Without<RestoreOptions>], WaasWallet> {
  return useCall((waas, signal, address, options) => waas.restoreBackup(address, { ...options, signal }))
}

export interface UseWalletExport {
  /** Shows the private key to the user; it never reaches the page. Resolves when the user is done. */
  readonly exportKey: Action<[address: string, options: Without<ExportOptions>], void>
  /** Returns this browser's share, encrypted, base64, for an offline recovery. */
  readonly exportShares: Action<[address: string, options?: Without<CallOptions>], readonly string[]>
}
/** @example const { exportKey } = useWalletExport(); exportKey.run(address, { displayContainer: place.current }) */
export function useWalletExport(): UseWalletExport {
  return {
    exportKey: useCall((waas, signal, address, options) => waas.exportPrivateKey(address, { ...options, signal })),
    exportShares: useCall((waas, signal, address, options) =>
      waas.exportClientKeyshares(address, { ...options, signal }),
    ),
  }
}

export interface UseWalletBackup {
  /** Undefined until the wallets are loaded. Remind the user of any state but `current`. */
  readonly status: BackupStatus | undefined
  /** False: the scheme has no backup share. Without a place the backup reshares; with one, pass `reshare: true`. */
  readonly hasBackupPart: boolean | undefined
  /** Without options: the user's passkey, or a recovery code. */
  readonly backup: Action<[options?: Without<BackupOptions>], BackupReceipt>
  /** Reads the backup back and opens it. */
  readonly verify: Action<[options: Without<VerifyBackupOptions>], BackupReceipt>
}
/**
 * Returns the backup status of a wallet, and actions. Run the actions in a click: a drive opens a window.
 * @example
 * const { status, backup } = useWalletBackup(address)
 * return status?.state === 'none' && <button onClick={() => backup.run()}>Back up</button>
 */
export function useWalletBackup(address: string): UseWalletBackup {
  const wallet = useWallet(address)
  return {
    status: wallet?.backup,
    hasBackupPart: wallet && hasBackupShare(wallet.thresholdSignatureScheme),
    backup: useCall((waas, signal, options) => waas.backup(address, { ...options, signal })),
    verify: useCall((waas, signal, options) => waas.verifyBackup(address, { ...options, signal })),
  }
}

export interface UseWalletPassword {
  /** Without a `newPassword` the user enters it where the page cannot read it. */
  readonly set: Action<[options?: Without<SetPasswordOptions>], void>
  readonly update: Action<[options?: Without<UpdatePasswordOptions>], void>
  readonly verify: Action<[password: string], boolean>
  /** Resolves to true if an operation needs the password (S6.2). */
  readonly required: Action<[operation: WalletOperation], boolean>
}
/**
 * The password that protects this browser's share. `passwordEncrypted` of a wallet tells whether there is one.
 * @example const { set } = useWalletPassword(address); <button onClick={() => set.run()}>Set a password</button>
 */
export function useWalletPassword(address: string): UseWalletPassword {
  return {
    set: useCall((waas, signal, options) => waas.setPassword(address, { ...options, signal })),
    update: useCall((waas, signal, options) => waas.updatePassword(address, { ...options, signal })),
    verify: useCall((waas, signal, password) => waas.verifyPassword(address, password, { signal })),
    required: useCall((waas, signal, operation) => waas.requiresPasswordForOperation(address, operation, { signal })),
  }
}

export interface UseDelegates {
  /** Servers that sign without the user, with their names and rules. Undefined while the wallets load. */
  readonly delegates: readonly ShareSet[] | undefined
  /** Pass `sealedShare` to the server. Once it has it, `refresh` of `useEmbeddedWallets` lists it in `delegates`. */
  readonly delegate: Action<
    [options: Without<DelegateKeySharesOptions>],
    { readonly setId: string; readonly sealedShare: Uint8Array }
  >
  readonly revoke: Action<[setId: string, options?: Without<CallOptions>], WaasWallet>
}
/**
 * Returns the servers that may sign for a wallet.
 * @example
 * const { delegates, delegate } = useDelegates(address)
 * const { sealedShare } = await delegate.runAsync({ delegatePublicKey, delegateName: 'Salaries', policy })
 */
export function useDelegates(address: string): UseDelegates {
  const wallet = useWallet(address)
  return {
    delegates: wallet?.sets.filter(({ kind, revoked }) => kind === 'delegate' && !revoked),
    delegate: useCall((waas, signal, options) => waas.delegateKeyShares(address, { ...options, signal })),
    revoke: useCall((waas, signal, setId, options) => waas.revokeSet(address, setId, { ...options, signal })),
  }
}
