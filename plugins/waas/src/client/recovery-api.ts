/** Passwords, restore and export, as a page calls them. Types only; `recovery.ts` does it. */
import type { WalletOperation } from '@keybay/kernel/spec'
import type { BackupTarget, WaasWallet } from '../protocol/wallet.js'
import type { CallOptions, CreateWalletOptions } from './api.js'

export interface RestoreOptions extends CallOptions {
  /** Where the wallet's own window is shown (S5.9). */
  readonly displayContainer: Element
  /** Where the backup is. `external` without an `envelope`: the user chooses the file in the wallet's window. */
  readonly backup: BackupTarget
  /**
   * `add-device`, the default: this browser is one more, and all others go on. `replace-device`: in the place of a lost one,
   * whose share can never sign again; a new backup is made, and the old one no longer counts.
   */
  readonly mode?: 'add-device' | 'replace-device' | undefined
}
export interface ExportOptions extends CallOptions {
  /** Where the wallet's own window shows the key (S5.9). */
  readonly displayContainer: Element
}
export interface SetPasswordOptions extends Omit<CallOptions, 'password'> {
  /** A secret. Leave it out, and the user enters it where the page cannot see it. */
  readonly newPassword?: string | undefined
}
export interface UpdatePasswordOptions extends SetPasswordOptions {
  /** A secret. Leave both out, and the user enters them where the page cannot see them. */
  readonly existingPassword?: string | undefined
}

export interface RecoveryApi {
  /**
   * The wallet in this browser, from its backup (S1.12). Until it is done nothing has changed.
   *
   * @throws KeybayError `display_container_missing`; `frame_backup_other`, `frame_backup_old`, `frame_backup_cut`,
   *   `mpc_backup_malformed`, `mpc_backup_unreadable` (wrong password), `frame_device_here`, `user_rejected`
   * @example await keybay.waas.restoreBackup(address, { displayContainer, backup: { provider: 'external' } })
   */
  restoreBackup(address: string, options: RestoreOptions): Promise<WaasWallet>
  /** The same from Google Drive, as one more device. */
  restoreBackupFromGoogleDrive(address: string, options: ExportOptions): Promise<WaasWallet>
  /**
   * Shows the whole key to the user, in the wallet's own window; it does not come back (S1.9). Resolves when they are done.
   *
   * @throws KeybayError `display_container_missing` (S5.9), `mfa_required`, `frame_share_elsewhere`, `user_rejected`
   * @example await keybay.waas.exportPrivateKey(address, { displayContainer: document.querySelector('#wallet') })
   */
  exportPrivateKey(address: string, options: ExportOptions): Promise<void>
  /** This browser's share, encrypted, base64: with the backup it makes the whole key, offline. @throws as `exportPrivateKey` */
  exportClientKeyshares(address: string, options?: CallOptions): Promise<readonly string[]>
  /**
   * The whole key from encrypted shares, without any service.
   *
   * @param base64Args of the JSON of `{ keyShares, derivationPath?, passwords? }`; `offlineArguments` of `@keybay/waas/offline`
   * @param options `chain`: of the account, default `SOL`; the shares of Ethereum's and Bitcoin's are alike
   * @returns the key: base58 of Solana's, hexadecimal of the others
   * @throws KeybayError `mpc_password_empty` for shares that are encrypted, without passwords; `mpc_curve_unknown` or
   *   `unsupported_chain` for shares of another chain than said
   */
  offlineExportPrivateKey(
    base64Args: string,
    options?: Pick<CreateWalletOptions, 'signal' | 'chain'>,
  ): Promise<{ readonly accountAddress: string; readonly privateKey: string }>
  /** From then on this browser asks for it. @throws KeybayError `frame_password_set`, `frame_password_short`, `user_rejected` */
  setPassword(address: string, options?: SetPasswordOptions): Promise<void>
  /** @throws KeybayError `frame_password_wrong`, `frame_password_limited` with `details { retryAfter }` in seconds, … */
  updatePassword(address: string, options?: UpdatePasswordOptions): Promise<void>
  /** Whether it is the wallet's password. @throws KeybayError `frame_password_limited` after five wrong ones */
  verifyPassword(address: string, password: string, options?: Pick<CallOptions, 'signal'>): Promise<boolean>
  /** Whether this browser asks for a password before it uses its share (S6.2). */
  isPasswordEncrypted(address: string, options?: Pick<CallOptions, 'signal'>): Promise<boolean>
  /** Whether an operation needs it (S6.2): all but `NO_OPERATION`, where the wallet has one. */
  requiresPasswordForOperation(
    address: string,
    operation: WalletOperation,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<boolean>
}
