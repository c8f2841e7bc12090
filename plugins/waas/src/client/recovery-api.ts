/** Types of passwords, restore and export. */
import type { WalletOperation } from '@keybay/kernel/spec'
import type { BackupTarget, WaasWallet } from '../protocol/wallet.js'
import type { CallOptions, CreateWalletOptions } from './api.js'

export interface RestoreOptions extends CallOptions {
  /** The element that shows the wallet's window (S5.9), best a closed `<dialog>`, which becomes the wallet's sheet. */
  readonly displayContainer: Element
  /** The place of the backup. `external` without an `envelope`: the user chooses the file in the wallet's window. */
  readonly backup: BackupTarget
  /** `add-device`, the default, adds this browser. `replace-device` replaces a lost one, which can never sign again. */
  readonly mode?: 'add-device' | 'replace-device' | undefined
}
export interface ExportOptions extends CallOptions {
  /** The element that shows the key in the wallet's window (S5.9), best a closed `<dialog>`, which becomes the wallet's sheet. */
  readonly displayContainer: Element
}
export interface SetPasswordOptions extends Omit<CallOptions, 'password'> {
  /** A secret. Leave it out, and the user enters it where the page cannot read it. */
  readonly newPassword?: string | undefined
}
export interface UpdatePasswordOptions extends SetPasswordOptions {
  /** A secret. Leave both out, and the user enters them where the page cannot read them. */
  readonly existingPassword?: string | undefined
}

export interface RecoveryApi {
  /**
   * Restores the wallet in this browser from its backup (S1.12). Nothing has changed until it resolves.
   * @throws KeybayError `display_container_missing`; `frame_backup_other`, `frame_backup_old`, `frame_backup_cut`,
   *   `mpc_backup_malformed`, `mpc_backup_unreadable` (wrong password), `frame_device_here`, `user_rejected`
   * @example await keybay.waas.restoreBackup(address, { displayContainer, backup: { provider: 'external' } })
   */
  restoreBackup(address: string, options: RestoreOptions): Promise<WaasWallet>
  /** Restores from Google Drive as an additional device. */
  restoreBackupFromGoogleDrive(address: string, options: ExportOptions): Promise<WaasWallet>
  /**
   * Shows the private key to the user in the wallet's window; it never reaches the page (S1.9).
   * @throws KeybayError `display_container_missing` (S5.9), `mfa_required`, `frame_share_elsewhere`, `user_rejected`
   * @example await keybay.waas.exportPrivateKey(address, { displayContainer: document.querySelector('#wallet') })
   */
  exportPrivateKey(address: string, options: ExportOptions): Promise<void>
  /** Returns this browser's share, encrypted, base64, for an offline recovery. @throws as `exportPrivateKey` */
  exportClientKeyshares(address: string, options?: CallOptions): Promise<readonly string[]>
  /**
   * Recovers the private key from encrypted shares, without any service: base58 for Solana, hexadecimal for other chains.
   * @param base64Args as `offlineArguments` of `@keybay/waas/offline` encodes them
   * @param options `chain` of the account, default `SOL`: shares of Ethereum and Bitcoin look alike
   * @throws KeybayError `mpc_password_empty`; `mpc_curve_unknown` or `unsupported_chain` for shares of another chain
   */
  offlineExportPrivateKey(
    base64Args: string,
    options?: Pick<CreateWalletOptions, 'signal' | 'chain'>,
  ): Promise<{ readonly accountAddress: string; readonly privateKey: string }>
  /** Protects this browser's share. @throws KeybayError `frame_password_set`, `frame_password_short`, `user_rejected` */
  setPassword(address: string, options?: SetPasswordOptions): Promise<void>
  /** @throws KeybayError `frame_password_wrong`, `frame_password_limited` with `details { retryAfter }` in seconds, … */
  updatePassword(address: string, options?: UpdatePasswordOptions): Promise<void>
  /** Returns true for the wallet's password. @throws KeybayError `frame_password_limited` after five wrong ones */
  verifyPassword(address: string, password: string, options?: Pick<CallOptions, 'signal'>): Promise<boolean>
  /** Returns true if this browser needs a password to use its share (S6.2). */
  isPasswordEncrypted(address: string, options?: Pick<CallOptions, 'signal'>): Promise<boolean>
  /** Returns true if the operation needs the password (S6.2): all but `NO_OPERATION`, if the wallet has one. */
  requiresPasswordForOperation(
    address: string,
    operation: WalletOperation,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<boolean>
}
