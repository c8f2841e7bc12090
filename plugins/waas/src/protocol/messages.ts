/** The messages between page and frame: type → payload and result (S7.3). Types only; `schemas.ts` checks them. */
import type { Chain, ThresholdSignatureScheme, WalletOperation } from '@keybay/kernel/spec'
import type { BackupReceipt, BackupTarget, Policy, WaasWallet } from './wallet.js'

/** Part of every payload. */
export interface OnChain {
  readonly chainName: Chain
}
/** The user's authority for an operation (S6.1). All fields are secrets. */
export interface Authorised extends OnChain {
  /** The session key's signature over this one request; see `operationOf`. */
  readonly signedSessionId: string
  readonly authToken: string
  /** Single use, for the matching MFA action. */
  readonly mfaToken?: string | undefined
  /** For the visible frame, in place of `mfaToken`: allows it to ask the user; see `FACTOR_OPERATION`. */
  readonly signedMfa?: string | undefined
  readonly password?: string | undefined
  /** Addresses of the user's Google accounts. A backup goes to one of their drives; without addresses, to any drive. */
  readonly driveAccounts?: readonly string[] | undefined
  /** Trace of the page's operation (W3C). The frame sends it to the relay alone. */
  readonly traceparent?: string | undefined
}
export interface OnAccount extends Authorised {
  readonly accountAddress: string
}
/** Part of requests that change something. Repeating a key returns the first result. The sender adds a missing key. */
export interface Keyed {
  readonly idempotencyKey?: string | undefined
}
export interface ForOperation extends OnAccount {
  readonly walletOperation?: WalletOperation | undefined
}
export interface NewWallet extends Authorised, Keyed {
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
  /** Default true: the user can export the key. False: the key never exists whole. */
  readonly exportable?: boolean | undefined
  readonly backup?: BackupTarget | undefined
}
export interface CreatedWallet extends NewWallet {
  /** True: creates the wallet only if the user has none, and continues an interrupted creation with the same key. */
  readonly first?: boolean | undefined
}
export interface ImportedKey extends NewWallet {
  /** Absent in the visible frame, where the user enters it. */
  readonly privateKey?: string | undefined
}
export interface MessageToSign extends OnAccount, Keyed {
  /** Text, or the bytes of an off-chain message. */
  readonly message: string | Uint8Array
}
export interface RawMessageToSign extends OnAccount, Keyed {
  /** 32 bytes as 64 hexadecimal characters (S5.3). */
  readonly message: string
}
export interface TransactionToSign extends Authorised, Keyed {
  readonly senderAddress: string
  /** Serialised, base64. */
  readonly transaction: string
}
export interface TypedDataToSign extends OnAccount, Keyed {
  /** EIP-712, as a JSON string. */
  readonly typedData: string
}
export interface Refresh extends OnAccount, Keyed {
  /** The target of the new backup share. */
  readonly backup?: BackupTarget | undefined
}
export interface Reshare extends Refresh {
  readonly oldThresholdSignatureScheme: ThresholdSignatureScheme
  readonly newThresholdSignatureScheme: ThresholdSignatureScheme
}
export interface Delegate extends OnAccount, Keyed {
  /** The delegate's HPKE key (X25519, 32 bytes), to which the share is sealed. */
  readonly delegatePublicKey: Uint8Array
  /** The name that the app shows and the delegate's operator publishes. */
  readonly delegateName?: string | undefined
  readonly policy?: Policy | undefined
}
export interface Backup extends OnAccount, Keyed {
  readonly backup: BackupTarget
}
export interface Restore extends Backup {
  /** `add-device`, the default, adds a share set. `replace-device` refreshes the set: the old device cannot sign. */
  readonly mode?: 'add-device' | 'replace-device' | undefined
}
export interface AddDevice extends OnAccount, Keyed {
  /** The source of the share, if this frame holds none. */
  readonly backup?: BackupTarget | undefined
}
export interface RevokeSet extends OnAccount, Keyed {
  readonly setId: string
}
export interface SetPolicy extends OnAccount, Keyed {
  readonly setId: string
  /** Null: the wallet asks before each signature. */
  readonly policy: Policy | null
}
export interface UpdatePassword extends Omit<OnAccount, 'password'>, Keyed {
  /** Each is absent in the visible frame, where the user enters it. */
  readonly existingPassword?: string | undefined
  readonly newPassword?: string | undefined
}
export interface SetPassword extends Omit<OnAccount, 'password'>, Keyed {
  /** Absent in the visible frame, where the user enters it. */
  readonly newPassword?: string | undefined
}
export interface AuthToken extends OnChain {
  readonly authToken: string
  /** The nonce of the frame's `ready`. Proves that this page received it. */
  readonly exchange: string
}
export interface OfflineExport extends OnChain {
  /** Base64 of the JSON of `{ keyShares, derivationPath?, passwords? }`. */
  readonly base64Args: string
}

/** The result of the app's own storage. */
export interface ExternalAnswer extends OnChain {
  readonly request: string
  /** For `load`. Absent: there is none. */
  readonly envelope?: Uint8Array | undefined
  readonly failed?: boolean | undefined
}

export interface WalletAnswer {
  readonly wallet: WaasWallet
}
export interface WalletWithBackup extends WalletAnswer {
  readonly backup?: BackupReceipt | undefined
  /** A secret. Present where the user agreed to see it in the page; otherwise only the visible frame shows it. */
  readonly recoveryCode?: string | undefined
}
export interface WalletForOperation extends WalletAnswer {
  /** True if the operation can be performed in this browser now. */
  readonly ready: boolean
  /**
   * What is missing for it: the wallet's password; the backup, which supplies a share that is not here; a second factor; or a
   * policy that allows it. The visible frame asks the user for the first three.
   */
  readonly needs: readonly ('password' | 'backup' | 'mfa' | 'policy')[]
}
export interface Signature {
  /** Ed25519 and Schnorr: 64 bytes; ECDSA: 65, the recovery bit last. */
  readonly signature: Uint8Array
}

interface Exchange<Payload, Result> {
  readonly payload: Payload
  readonly result: Result
}
/** An empty result. */
type Done = null
/** The 22 messages of the specification, and further ones by the same rules. */
export interface WaasMessages {
  readonly getWallets: Exchange<Authorised, readonly WaasWallet[]>
  readonly getWallet: Exchange<ForOperation, WalletForOperation>
  readonly createWalletAccount: Exchange<CreatedWallet, WalletWithBackup>
  readonly requiresPasswordForOperation: Exchange<ForOperation, boolean>
  readonly signMessage: Exchange<MessageToSign, Signature>
  readonly signRawMessage: Exchange<RawMessageToSign, Signature>
  readonly signTransaction: Exchange<TransactionToSign, { readonly signedTransaction: string }>
  readonly signTypedData: Exchange<TypedDataToSign, Signature>
  readonly isPasswordEncrypted: Exchange<OnAccount, boolean>
  readonly backupKeySharesToGoogleDrive: Exchange<OnAccount & Keyed, BackupReceipt>
  readonly delegateKeyShares: Exchange<Delegate, { readonly setId: string; readonly sealedShare: Uint8Array }>
  readonly restoreBackupFromGoogleDrive: Exchange<OnAccount & Keyed, WalletAnswer>
  readonly refreshWalletAccountShares: Exchange<Refresh, WalletWithBackup>
  readonly reshare: Exchange<Reshare, WalletWithBackup>
  /** The visible frame shows the key to the user. It never reaches the page. */
  readonly exportPrivateKey: Exchange<OnAccount, Done>
  readonly verifyPassword: Exchange<OnAccount & { readonly password: string }, boolean>
  readonly updatePassword: Exchange<UpdatePassword, Done>
  readonly importPrivateKey: Exchange<ImportedKey, WalletWithBackup>
  readonly sendAuthToken: Exchange<AuthToken, Done>
  /** Sealed envelopes, base64; `password` opens them. */
  readonly exportClientKeyshares: Exchange<OnAccount, { readonly keyShares: readonly string[] }>
  readonly offlineExportPrivateKey: Exchange<
    OfflineExport,
    { readonly accountAddress: string; readonly privateKey: string }
  >
  /** The frame erases what it holds in memory. */
  readonly cleanup: Exchange<OnChain, Done>
  readonly backupKeyShares: Exchange<Backup, BackupReceipt>
  /** Reads the backup back, opens it and compares it with the current wallet. */
  readonly verifyBackup: Exchange<Backup, BackupReceipt>
  readonly restoreBackup: Exchange<Restore, WalletAnswer>
  readonly addDevice: Exchange<AddDevice, WalletAnswer>
  readonly revokeSet: Exchange<RevokeSet, WalletAnswer>
  readonly setPolicy: Exchange<SetPolicy, WalletAnswer>
  readonly setPassword: Exchange<SetPassword, Done>
  /** The reply to a question in the progress of an operation. */
  readonly externalBackup: Exchange<ExternalAnswer, Done>
}
export type WaasMessageType = keyof WaasMessages
export type PayloadOf<T extends WaasMessageType> = WaasMessages[T]['payload']
export type ResultOf<T extends WaasMessageType> = WaasMessages[T]['result']
