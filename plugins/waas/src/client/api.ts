/** The API `keybay.waas`, and the wallet's features beyond Wallet Standard. Types only; calls load `engine.ts`. */
import type {} from '@keybay/account' // its line in KeybayPlugins
import type { Abortable, AcceptsSignal } from '@keybay/kernel'
import type { KeybayError, ThresholdSignatureScheme, WalletOperation } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'
import type { FrameView } from '../protocol/handshake.js'
import type { WalletForOperation, WalletWithBackup } from '../protocol/messages.js'
import type {
  BackupReceipt,
  BackupStatus,
  BackupTarget,
  Policy,
  Progress,
  RelayRound,
  WaasWallet,
} from '../protocol/wallet.js'
import type { AccountChain } from './chains.js'
import type { ExportOptions, RecoveryApi, SetPasswordOptions, UpdatePasswordOptions } from './recovery-api.js'
import type { FrameState } from './shared-frame.js'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The element that shows the wallet's frame if the user has to see it. A closed `<dialog>` becomes the sheet of our own dialog, the default. */
  readonly displayContainer?: Element | undefined
  /** The wallet's password, if it has one. A secret. */
  readonly password?: string | undefined
}
export interface CreateWalletOptions extends CallOptions {
  /** Default `SOL`. `EVM`: the wallet's frame combines the key for each signature. `BTC`: taproot. */
  readonly chain?: AccountChain | undefined
  /** Default: the scheme of the environment, which is `TWO_OF_THREE` unless its operator changed it. */
  readonly scheme?: ThresholdSignatureScheme | undefined
  /** Default true. False: the key never exists whole, and its funds can only be moved by a sweep. */
  readonly exportable?: boolean | undefined
  /** Target of the backup share; `TWO_OF_TWO` has none. Default: the user chooses in the wallet's window. */
  readonly backup?: BackupTarget | undefined
  /** Repeating a key returns the wallet of the first call. */
  readonly idempotencyKey?: string | undefined
}
export interface ImportOptions extends Omit<CreateWalletOptions, 'chain'> {
  /** Base58, hex or a seed. A secret: leave it out, and the user enters it in the wallet's frame. */
  readonly privateKey?: string | undefined
}
export interface RefreshOptions extends CallOptions {
  /** The target of the new backup share. Default: the target of the newest backup, if there is one. */
  readonly backup?: BackupTarget | undefined
}
export interface ReshareOptions extends RefreshOptions {
  /** `TWO_OF_TWO` takes no `backup`. */
  readonly to: ThresholdSignatureScheme
}
export interface VerifyBackupOptions extends CallOptions {
  /** The place to read from. */
  readonly backup: BackupTarget
}
export interface BackupOptions extends CallOptions {
  /**
   * Default: the product API, under a passkey made in the wallet's window, or under a recovery code that the window shows
   * once where no passkey can lock a backup.
   */
  readonly backup?: BackupTarget | undefined
  /**
   * True: reshares a `TWO_OF_TWO` wallet, which has no backup share, to `TWO_OF_THREE`. Default: true without a `backup`,
   * otherwise false.
   */
  readonly reshare?: boolean | undefined
}
export interface PolicyOptions extends CallOptions {
  /** Default: the primary set. */
  readonly setId?: string | undefined
}

export interface DelegateKeySharesOptions extends CallOptions {
  /** The server's X25519 key, 32 bytes, as its operator publishes it. */
  readonly delegatePublicKey: Uint8Array
  /** The name that the server's operator publishes. The user reads it first, and the session key signs it. */
  readonly delegateName: string
  /** The rules of the server. Everything else is refused without asking the user. */
  readonly policy: Policy
}

/** Everything here loads with the first call. */
export interface WaasEngine extends RecoveryApi {
  /**
   * Creates a wallet for the signed-in user, with a backup where the scheme has a backup share.
   * @throws KeybayError `backup_unsupported`, `embedded_wallets_disabled`, `user_rejected`, … Nothing was created then.
   */
  createWallet(options?: CreateWalletOptions): Promise<WalletWithBackup>
  /** @throws KeybayError as `createWallet` */
  importPrivateKey(options?: ImportOptions): Promise<WalletWithBackup>
  /** Reads the list from the relay at each call. */
  wallets(options?: CallOptions): Promise<readonly WaasWallet[]>
  /** Returns the wallet, and what is missing to perform an operation in this browser now. */
  wallet(address: string, operation?: WalletOperation, options?: CallOptions): Promise<WalletForOperation>
  /** Creates new shares of the same key. The old shares become worthless. */
  refresh(address: string, options?: RefreshOptions): Promise<WalletWithBackup>
  /** Creates new shares of the same key with another threshold. */
  reshare(address: string, options: ReshareOptions): Promise<WalletWithBackup>
  /**
   * Stores an encrypted copy of the backup share with a provider. Reads it back and opens it before it counts. Without
   * `backup`, one click in the wallet's window is enough where the browser has a passkey for it, and a `TWO_OF_TWO` wallet
   * becomes `TWO_OF_THREE` in the same step.
   * @throws KeybayError `frame_backup_reshare_needed` for a `TWO_OF_TWO` wallet, `frame_backup_…` of the provider,
   *   `user_rejected` when the user closes its window
   * @example
   * await keybay.waas.backup(address) // the user's passkey, or a recovery code
   * await keybay.waas.backup(address, { backup: { provider: 'googleDrive' } })
   */
  backup(address: string, options?: BackupOptions): Promise<BackupReceipt>
  /** Reads the backup back, opens it and compares it with the wallet. @throws KeybayError `frame_backup_missing`, … */
  verifyBackup(address: string, options: VerifyBackupOptions): Promise<BackupReceipt>
  /** Null restores the environment's default. */
  setPolicy(address: string, policy: Policy | null, options?: PolicyOptions): Promise<WaasWallet>
  /**
   * Revokes a share set: it can never sign again. Takes a delegate's `setId` also before its server has accepted it. Erases the share of a set that is only `kept`. The user agrees.
   * @throws KeybayError `frame_primary_set`, `user_rejected`
   */
  revokeSet(address: string, setId: string, options?: CallOptions): Promise<WaasWallet>
  /**
   * Lets a server sign without the user, within rules, until its set is revoked. Only the server opens `sealedShare`.
   * @throws KeybayError `frame_delegate_unknown`, `frame_policy_missing`, `user_rejected`
   */
  delegateKeyShares(
    address: string,
    options: DelegateKeySharesOptions,
  ): Promise<{ readonly setId: string; readonly sealedShare: Uint8Array }>
  /** Makes this browser, on this site, a device of the wallet. */
  addDevice(address: string, options?: RefreshOptions): Promise<WaasWallet>
}
export interface WaasApi extends WaasEngine {}

interface Feature {
  readonly version: string
}
/** Not for features that other plugins declare too: TypeScript requires the same type there, without an intersection. */
type OnAccount<Input = object> = Input & { readonly account: WalletAccount }

/** `keybay:signRawMessage`: signs 32 bytes, given as 64 hexadecimal characters (S5.3). */
export interface SignRawMessageFeature extends Feature, AcceptsSignal {
  signRawMessage(
    input: OnAccount<Abortable & { readonly message: string }>,
  ): Promise<{ readonly signature: Uint8Array }>
}
/** `keybay:signTypedData`: signs EIP-712 JSON with an EVM account. The signature is 65 bytes, `0x…`. */
export interface SignTypedDataFeature extends Feature, AcceptsSignal {
  signTypedData(input: {
    readonly account: WalletAccount
    readonly typedData: string
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly signature: string }>
}
/** `evm:signTypedData`: takes an object, as other Ethereum wallets do; a `bigint` becomes decimal digits. */
export interface EvmSignTypedDataFeature extends Feature, AcceptsSignal {
  signTypedData(input: {
    readonly account: WalletAccount
    readonly typedData: object
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly signature: `0x${string}` }>
}
/** `evm:signMessage` (EIP-191). The signature is 65 bytes. */
export interface EvmSignMessageFeature extends Feature, AcceptsSignal {
  signMessage(input: {
    readonly account: WalletAccount
    readonly message: Uint8Array
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly signature: `0x${string}` }>
}
/** `evm:signTransaction`: takes the unsigned and returns the signed encoding of an EIP-1559 or EIP-155 transaction. */
export interface EvmSignTransactionFeature extends Feature, AcceptsSignal {
  signTransaction(
    input: OnAccount<Abortable & { readonly transaction: Uint8Array }>,
  ): Promise<{ readonly signedTransaction: Uint8Array }>
}
/** `bitcoin:signTransaction`: signs the account's inputs of a PSBT (BIP 174) and leaves other inputs as they are. */
export interface BitcoinSignTransactionFeature extends Feature, AcceptsSignal {
  signTransaction(
    input: OnAccount<Abortable & { readonly psbt: Uint8Array }>,
  ): Promise<{ readonly signedPsbt: Uint8Array }>
}
export interface RefreshFeature extends Feature {
  refresh(input: OnAccount<RefreshOptions>): Promise<WalletWithBackup>
}
export interface ReshareFeature extends Feature {
  reshare(input: OnAccount<ReshareOptions>): Promise<WalletWithBackup>
}
export interface BackupFeature extends Feature {
  backup(input: OnAccount<BackupOptions>): Promise<BackupReceipt>
  verify(input: OnAccount<VerifyBackupOptions>): Promise<BackupReceipt>
  /** Reads the status from the relay at each call. */
  status(input: OnAccount): Promise<BackupStatus>
}
export interface ExportFeature extends Feature {
  /** Shows the private key to the user in the wallet's window. It never reaches the page. */
  exportPrivateKey(input: OnAccount<ExportOptions>): Promise<void>
  /** Returns this browser's share, encrypted, base64. */
  exportClientKeyshares(input: OnAccount<CallOptions>): Promise<readonly string[]>
}
/** `keybay:password`: the password that protects this browser's share. */
export interface PasswordFeature extends Feature {
  setPassword(input: OnAccount<SetPasswordOptions>): Promise<void>
  updatePassword(input: OnAccount<UpdatePasswordOptions>): Promise<void>
  /** Returns true for the wallet's password, which is a secret. */
  verifyPassword(input: OnAccount<Pick<CallOptions, 'signal'> & { readonly password: string }>): Promise<boolean>
}

/** Fields that the events of an operation share. None contains the request. */
export interface OperationEvent {
  readonly operationId: string
  readonly operation: string
  readonly address?: string | undefined
  /** Set if it failed. Not `code`, which logs redact because it may be a one-time code. */
  readonly errorCode?: string | undefined
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
    /** Progress of a long operation. */
    'waas:progress': Progress & { readonly operation: string; readonly address?: string | undefined }
    /** An operation began or ended. The events of its messages carry its `operationId`. */
    'waas:operation': OperationEvent & { readonly state: 'started' | 'succeeded' | 'failed' }
    /** A message to the frame was sent, or ended. One message of an operation at a time. */
    'waas:message': OperationEvent & { readonly view: FrameView; readonly state: 'sent' | 'succeeded' | 'failed' }
    /** The frame's request to the relay has ended. */
    'waas:relay': RelayRound & { readonly operationId: string }
    /** State of the hidden frame (S4.6). */
    'waas:frame': { readonly state: FrameState }
    /** The list may have changed: read `keybay.waas.wallets()`. */
    'waas:wallets-changed': Readonly<Record<never, never>>
    /** An operation waits for the user's consent in the visible frame. */
    'waas:consent': { readonly operation: string; readonly address?: string | undefined }
    /** The wallets could not be read, or the first one not created, after a sign-in. */
    'waas:failed': { readonly error: KeybayError }
  }
}
