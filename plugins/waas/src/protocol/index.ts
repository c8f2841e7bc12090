/**
 * `@keybay/waas/protocol`: the messages between page and wallet frame. Read `messages.ts` first, then `handshake.ts`
 * (the port) and `sender.ts` and `receiver.ts` (one message). Needs no kernel instance.
 */
export { assertBackupFits, hasBackupShare } from './backup-scheme.js'
export {
  backupUnsupported,
  consentRequired,
  embeddedWalletsDisabled,
  frameRefused,
  idempotencyKeyReused,
  type MfaDemand,
  messageMalformed,
  messengerClosed,
  mfaRequired,
  passkeyUnproved,
} from './errors.js'
export { FACTORS, requestHashOf } from './factor.js'
export {
  type AcceptOptions,
  acceptFromPage,
  type ConnectOptions,
  connectToFrame,
  type FrameView,
  isExactOrigin,
  type PortFromFrame,
  type PortFromPage,
} from './handshake.js'
export type {
  AddDevice,
  Authorised,
  AuthToken,
  Backup,
  Delegate,
  ExternalAnswer,
  ForOperation,
  ImportedKey,
  Keyed,
  MessageToSign,
  NewWallet,
  OfflineExport,
  OnAccount,
  OnChain,
  PayloadOf,
  RawMessageToSign,
  Refresh,
  Reshare,
  Restore,
  ResultOf,
  RevokeSet,
  SetPassword,
  SetPolicy,
  Signature,
  TransactionToSign,
  TypedDataToSign,
  UpdatePassword,
  WaasMessages,
  WaasMessageType,
  WalletAnswer,
  WalletForOperation,
  WalletWithBackup,
} from './messages.js'
export { type Operation, operationOf } from './operation.js'
export { wirePolicy } from './policy.js'
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js'
export { waasProtocol } from './schemas.js'
export { createSender } from './sender.js'
export type {
  Exchanges,
  FalseNegative,
  HandlerContext,
  Handlers,
  MessageSpec,
  Protocol,
  Resend,
  Sender,
  SenderOptions,
  SendOptions,
} from './spec.js'
export type {
  BackupReceipt,
  BackupStatus,
  BackupTarget,
  ExternalAbout,
  ExternalName,
  ExternalQuestion,
  Policy,
  ProgramRule,
  Progress,
  ShareSet,
  WaasWallet,
} from './wallet.js'
