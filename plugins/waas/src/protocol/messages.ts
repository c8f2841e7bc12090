/**
 * The messages between page and frame: type → what is asked and what is answered (S7.3). Types only; `schemas.ts`
 * checks every one of them on both sides.
 */
import type { Chain, ThresholdSignatureScheme, WalletOperation } from '@keybay/kernel/spec'
import type { BackupReceipt, BackupTarget, Policy, WaasWallet } from './wallet.js'

/** Every payload carries it. */
export interface OnChain {
  readonly chainName: Chain
}
/** What authorises an operation (S6.1). All are secrets. */
export interface Authorised extends OnChain {
  /** The host session key's signature over this one request; see `operationOf`. */
  readonly signedSessionId: string
  readonly authToken: string
  /** Single use, for the matching MFA action. */
  readonly mfaToken?: string | undefined
  /** Instead, to the visible frame: the session key's word that it may ask the user; see `FACTOR_OPERATION`. */
  readonly signedMfa?: string | undefined
  readonly password?: string | undefined
  /** Addresses of the user's own Google accounts. A backup goes to a drive of one of them; without any, to any drive. */
  readonly driveAccounts?: readonly string[] | undefined
}
export interface OnAccount extends Authorised {
  readonly accountAddress: string
}
/** Of what changes something: a repeat with the same key gets the first one's answer. The sender adds one. */
export interface Keyed {
  readonly idempotencyKey?: string | undefined
}
export interface ForOperation extends OnAccount {
  readonly walletOperation?: WalletOperation | undefined
}
export interface NewWallet extends Authorised, Keyed {
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
  /** Default true: the user can take the key to another wallet. False: the key never existed whole. */
  readonly exportable?: boolean | undefined
  readonly backup?: BackupTarget | undefined
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
  /** It mints a new backup share, so it needs to know where that goes. */
  readonly backup?: BackupTarget | undefined
}
export interface Reshare extends Refresh {
  readonly oldThresholdSignatureScheme: ThresholdSignatureScheme
  readonly newThresholdSignatureScheme: ThresholdSignatureScheme
}
export interface Delegate extends OnAccount, Keyed {
  /** To whom the share is sealed: an HPKE key (X25519), 32 bytes. */
  readonly delegatePublicKey: Uint8Array
  /** As the page knows the server, and as its operator lists it. */
  readonly delegateName?: string | undefined
  readonly policy?: Policy | undefined
}
export interface Backup extends OnAccount, Keyed {
  readonly backup: BackupTarget
}
export interface Restore extends Backup {
  /** Whether an older device goes on (an additional set) or is replaced (a refresh). Default `add-device`. */
  readonly mode?: 'add-device' | 'replace-device' | undefined
}
export interface AddDevice extends OnAccount, Keyed {
  /** Where the share comes from, if this frame holds none. */
  readonly backup?: BackupTarget | undefined
}
export interface RevokeSet extends OnAccount, Keyed {
  readonly setId: string
}
export interface SetPolicy extends OnAccount, Keyed {
  readonly setId: string
  /** Null: back to the environment's default. */
  readonly policy: Policy | null
}
export interface UpdatePassword extends Omit<OnAccount, 'password'>, Keyed {
  /** Each: absent in the visible frame, where the user enters it. */
  readonly existingPassword?: string | undefined
  readonly newPassword?: string | undefined
}
export interface SetPassword extends Omit<OnAccount, 'password'>, Keyed {
  /** Absent in the visible frame, where the user enters it. */
  readonly newPassword?: string | undefined
}
export interface AuthToken extends OnChain {
  readonly authToken: string
  /** What the frame said when it was ready: proves that this is the page which it said it to. */
  readonly exchange: string
}
export interface OfflineExport extends OnChain {
  /** Base64 of the JSON of `{ keyShares, derivationPath?, passwords? }`. */
  readonly base64Args: string
}

/** What the page's own storage did. */
export interface ExternalAnswer extends OnChain {
  readonly request: string
  /** Of `load`; absent: it has none. */
  readonly envelope?: Uint8Array | undefined
  readonly failed?: boolean | undefined
}

export interface WalletAnswer {
  readonly wallet: WaasWallet
}
export interface WalletWithBackup extends WalletAnswer {
  readonly backup?: BackupReceipt | undefined
  /** Shown once, where the user agreed to see it in the page; else only the visible frame shows it. A secret. */
  readonly recoveryCode?: string | undefined
}
export interface WalletForOperation extends WalletAnswer {
  /** Whether the operation can be done here and now. */
  readonly ready: boolean
  /** What is missing for it. */
  readonly needs: readonly ('password' | 'backup' | 'mfa')[]
}
export interface Signature {
  /** Ed25519 and Schnorr: 64 bytes; ECDSA: 65, the recovery bit last. */
  readonly signature: Uint8Array
}

interface Exchange<Payload, Result> {
  readonly payload: Payload
  readonly result: Result
}
/** Nothing to say but that it is done. */
type Done = null
/** The specification's 22, and more by the same rules. */
export interface WaasMessages {
  readonly getWallets: Exchange<Authorised, readonly WaasWallet[]>
  readonly getWallet: Exchange<ForOperation, WalletForOperation>
  readonly createWalletAccount: Exchange<NewWallet, WalletWithBackup>
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
  /** The visible frame shows the key to the user; it does not come back. */
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
  /** The frame forgets what it holds in memory. */
  readonly cleanup: Exchange<OnChain, Done>
  readonly backupKeyShares: Exchange<Backup, BackupReceipt>
  /** Reads the backup back, opens it and compares it with the wallet as it is now. */
  readonly verifyBackup: Exchange<Backup, BackupReceipt>
  readonly restoreBackup: Exchange<Restore, WalletAnswer>
  readonly addDevice: Exchange<AddDevice, WalletAnswer>
  readonly revokeSet: Exchange<RevokeSet, WalletAnswer>
  readonly setPolicy: Exchange<SetPolicy, WalletAnswer>
  readonly setPassword: Exchange<SetPassword, Done>
  /** Answers a question that came with the progress of an operation. */
  readonly externalBackup: Exchange<ExternalAnswer, Done>
}
export type WaasMessageType = keyof WaasMessages
export type PayloadOf<T extends WaasMessageType> = WaasMessages[T]['payload']
export type ResultOf<T extends WaasMessageType> = WaasMessages[T]['result']
