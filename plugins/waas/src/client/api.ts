/** `keybay.waas`, and what its wallet can do beyond Wallet Standard. Types only; `engine.ts` loads with the first call. */

import type {} from '@keybay/account' // its line in KeybayPlugins
import type { KeybayError, ThresholdSignatureScheme, WalletOperation } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'
import type { WalletForOperation, WalletWithBackup } from '../protocol/messages.js'
import type { BackupReceipt, BackupStatus, BackupTarget, Policy, Progress, WaasWallet } from '../protocol/wallet.js'
import type { AccountChain } from './chains.js'
import type { ExportOptions, RecoveryApi, SetPasswordOptions, UpdatePasswordOptions } from './recovery-api.js'
import type { FrameState } from './shared-frame.js'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Where the wallet's own frame is shown, if the user has to see it. Default: a dialog of our own. */
  readonly displayContainer?: Element | undefined
  /** The wallet's password, if it has one. A secret. */
  readonly password?: string | undefined
}
export interface CreateWalletOptions extends CallOptions {
  /** Default `SOL`. `EVM`: the key is put together in the wallet's own frame for each signature. `BTC`: taproot. */
  readonly chain?: AccountChain | undefined
  /** Default: the environment's, which is `TWO_OF_THREE` unless its operator names another. */
  readonly scheme?: ThresholdSignatureScheme | undefined
  /** Default true. False: the key never exists whole, and can only be moved by sweeping. */
  readonly exportable?: boolean | undefined
  /** Where the backup share goes. Default: the user chooses in the wallet's window. `TWO_OF_TWO` has no backup share. */
  readonly backup?: BackupTarget | undefined
  /** The same key again gets the first one's wallet. */
  readonly idempotencyKey?: string | undefined
}
export interface ImportOptions extends Omit<CreateWalletOptions, 'chain'> {
  /** Base58, hex or a seed. A secret: leave it out, and the user enters it in the wallet's own frame. */
  readonly privateKey?: string | undefined
}
export interface RefreshOptions extends CallOptions {
  /** Where the new backup share goes: a refresh makes one. Default: to where the newest backup is, if there is one. */
  readonly backup?: BackupTarget | undefined
}
export interface ReshareOptions extends RefreshOptions {
  /** `TWO_OF_TWO` takes no `backup`. */
  readonly to: ThresholdSignatureScheme
}
export interface VerifyBackupOptions extends CallOptions {
  /** Where to look. */
  readonly backup: BackupTarget
}
export interface BackupOptions extends VerifyBackupOptions {
  /**
   * A wallet of two parts has none for a backup. True: its key is divided anew into three parts of which two sign, and the
   * new third one is backed up; the address stays. Tell the user first. Default false.
   */
  readonly reshare?: boolean | undefined
}
export interface PolicyOptions extends CallOptions {
  /** Default: the primary set. */
  readonly setId?: string | undefined
}

export interface DelegateKeySharesOptions extends CallOptions {
  /** Of the server, as its operator lists it: X25519, 32 bytes. */
  readonly delegatePublicKey: Uint8Array
  /** As its operator lists it: what the user reads when they agree, and part of what the session's key signs. */
  readonly delegateName: string
  /** What it may do. What is not listed is refused, and nobody is asked. */
  readonly policy: Policy
}

/** Everything here loads with the first call. */
export interface WaasEngine extends RecoveryApi {
  /**
   * Creates a wallet for the signed-in user, with a backup where the scheme has a backup share.
   *
   * @throws KeybayError `backup_unsupported` for a backup of `TWO_OF_TWO`, `embedded_wallets_disabled`, `session_missing`,
   *   `user_rejected`, … Nothing was created then.
   */
  createWallet(options?: CreateWalletOptions): Promise<WalletWithBackup>
  /** @throws KeybayError as `createWallet` */
  importPrivateKey(options?: ImportOptions): Promise<WalletWithBackup>
  /** Asks again each time. */
  wallets(options?: CallOptions): Promise<readonly WaasWallet[]>
  /** Whether an operation can be done here and now, and what is missing for it. */
  wallet(address: string, operation?: WalletOperation, options?: CallOptions): Promise<WalletForOperation>
  /** New shares for the same key: old ones become worthless. */
  refresh(address: string, options?: RefreshOptions): Promise<WalletWithBackup>
  /** The same key under another threshold. */
  reshare(address: string, options: ReshareOptions): Promise<WalletWithBackup>
  /**
   * An encrypted copy of the backup part to a provider, read back and opened before it counts.
   *
   * @throws KeybayError `frame_backup_reshare_needed` for a wallet of two parts, `frame_backup_…` of the provider,
   *   `user_rejected` when the user closes its window
   * @example await keybay.waas.backup(address, { backup: { provider: 'googleDrive' } })
   */
  backup(address: string, options: BackupOptions): Promise<BackupReceipt>
  /** Reads the backup back, opens it and compares it with the wallet as it is now. @throws KeybayError `frame_backup_missing`, … */
  verifyBackup(address: string, options: VerifyBackupOptions): Promise<BackupReceipt>
  /** Null: the environment's default again. */
  setPolicy(address: string, policy: Policy | null, options?: PolicyOptions): Promise<WaasWallet>
  /**
   * The set can never sign again. Erases the share of a set that no longer signs here (`kept`). Either way the user agrees in the
   * visible frame.
   *
   * @throws KeybayError `frame_primary_set`, `user_rejected`
   */
  revokeSet(address: string, setId: string, options?: CallOptions): Promise<WaasWallet>
  /**
   * Lets a server sign without the user, within rules, until its set is revoked. Bring `sealedShare` to it: only the server
   * can open it (`createDelegate` of `@keybay/waas/delegate`).
   *
   * @throws KeybayError `frame_delegate_unknown`, `frame_policy_missing`, `user_rejected`
   */
  delegateKeyShares(
    address: string,
    options: DelegateKeySharesOptions,
  ): Promise<{ readonly setId: string; readonly sealedShare: Uint8Array }>
  /** Makes this browser, on this site, a device of the wallet. */
  addDevice(address: string, options?: RefreshOptions): Promise<WaasWallet>
}
/** What a page gets as `keybay.waas`. */
export interface WaasApi extends WaasEngine {}

/** Input and answer of `keybay:signRawMessage`: 32 bytes as 64 hexadecimal characters (S5.3). */
export interface SignRawMessageFeature {
  readonly version: string
  signRawMessage(input: {
    readonly account: WalletAccount
    readonly message: string
  }): Promise<{ readonly signature: Uint8Array }>
}
/** `keybay:signTypedData`: EIP-712 as JSON, by an EVM account. 65 bytes, 0x… */
export interface SignTypedDataFeature {
  readonly version: string
  signTypedData(input: {
    readonly account: WalletAccount
    /** JSON */
    readonly typedData: string
  }): Promise<{ readonly signature: string }>
}
/** `evm:signTypedData`: the same as an object, as other wallets of Ethereum have it; a `bigint` becomes its digits. */
export interface EvmSignTypedDataFeature {
  readonly version: string
  signTypedData(input: {
    readonly account: WalletAccount
    readonly typedData: object
  }): Promise<{ readonly signature: `0x${string}` }>
}
/** `evm:signMessage`: EIP-191. 65 bytes. */
export interface EvmSignMessageFeature {
  readonly version: string
  signMessage(input: {
    readonly account: WalletAccount
    readonly message: Uint8Array
  }): Promise<{ readonly signature: `0x${string}` }>
}
/** `evm:signTransaction`: an unsigned EIP-1559 or EIP-155 transaction to a signed one, both as they are hashed and sent. */
export interface EvmSignTransactionFeature {
  readonly version: string
  signTransaction(input: {
    readonly account: WalletAccount
    readonly transaction: Uint8Array
  }): Promise<{ readonly signedTransaction: Uint8Array }>
}
/** `bitcoin:signTransaction`: a PSBT (BIP 174). Its inputs of this account get signatures; those of others stay as they are. */
export interface BitcoinSignTransactionFeature {
  readonly version: string
  signTransaction(input: {
    readonly account: WalletAccount
    readonly psbt: Uint8Array
  }): Promise<{ readonly signedPsbt: Uint8Array }>
}
export interface RefreshFeature {
  readonly version: string
  refresh(input: { readonly account: WalletAccount } & RefreshOptions): Promise<WalletWithBackup>
}
export interface ReshareFeature {
  readonly version: string
  reshare(input: { readonly account: WalletAccount } & ReshareOptions): Promise<WalletWithBackup>
}
/** The wallet feature `keybay:backup`. */
export interface BackupFeature {
  readonly version: string
  backup(input: { readonly account: WalletAccount } & BackupOptions): Promise<BackupReceipt>
  verify(input: { readonly account: WalletAccount } & VerifyBackupOptions): Promise<BackupReceipt>
  /** Asks anew. */
  status(input: { readonly account: WalletAccount }): Promise<BackupStatus>
}
/** The wallet feature `keybay:export`. */
export interface ExportFeature {
  readonly version: string
  /** Shows the key to the user, in the wallet's own window; it does not come back. */
  exportPrivateKey(input: { readonly account: WalletAccount } & ExportOptions): Promise<void>
  /** This browser's share, encrypted, base64. */
  exportClientKeyshares(input: { readonly account: WalletAccount } & CallOptions): Promise<readonly string[]>
}
/** The wallet feature `keybay:password`: the lock in front of this browser's share. */
export interface PasswordFeature {
  readonly version: string
  setPassword(input: { readonly account: WalletAccount } & SetPasswordOptions): Promise<void>
  updatePassword(input: { readonly account: WalletAccount } & UpdatePasswordOptions): Promise<void>
  /** Whether it is the wallet's password. */
  verifyPassword(input: {
    readonly account: WalletAccount
    /** A secret. */
    readonly password: string
    readonly signal?: AbortSignal | undefined
  }): Promise<boolean>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    waas: WaasApi
  }
  interface WalletFeatures {
    'keybay:signRawMessage': SignRawMessageFeature
    'keybay:signTypedData': SignTypedDataFeature
    'evm:signMessage': EvmSignMessageFeature
    'evm:signTypedData': EvmSignTypedDataFeature
    'evm:signTransaction': EvmSignTransactionFeature
    'bitcoin:signTransaction': BitcoinSignTransactionFeature
    'keybay:backup': BackupFeature
    'keybay:export': ExportFeature
    'keybay:password': PasswordFeature
    'keybay:refresh': RefreshFeature
    'keybay:reshare': ReshareFeature
  }
  interface KeybayEvents {
    /** How far a long operation is. */
    'waas:progress': Progress & { readonly operation: string; readonly address?: string | undefined }
    /** Of the hidden frame (S4.6). */
    'waas:frame': { readonly state: FrameState }
    /** The list may be another now: `keybay.waas.wallets()` has it. */
    'waas:wallets-changed': Readonly<Record<never, never>>
    /** An operation waits for a consent that is given in the visible frame. */
    'waas:consent': { readonly operation: string; readonly address?: string | undefined }
    /** A wallet list could not be read after somebody signed in again. */
    'waas:failed': { readonly error: KeybayError }
  }
}
