/**
 * Embedded wallets for Keybay. Read `client/plugin.ts` first, then `client/api.ts`. The README describes the folders.
 */
export type {
  BackupFeature,
  BackupOptions,
  BitcoinSignTransactionFeature,
  CallOptions,
  CreateWalletOptions,
  DelegateKeySharesOptions,
  EvmSignMessageFeature,
  EvmSignTransactionFeature,
  EvmSignTypedDataFeature,
  ExportFeature,
  ImportOptions,
  PasswordFeature,
  PolicyOptions,
  RefreshFeature,
  RefreshOptions,
  ReshareFeature,
  ReshareOptions,
  SignRawMessageFeature,
  SignTypedDataFeature,
  VerifyBackupOptions,
  WaasApi,
  WaasEngine,
} from './client/api.js'
export type { AccountChain } from './client/chains.js'
export type { ExternalBackup } from './client/external.js'
export type { OpenGrant } from './client/grant-window.js'
export type { FrameOptions } from './client/parameters.js'
export { type CreateOnLogin, type WaasConnector, type WaasOptions, waas } from './client/plugin.js'
export type {
  ExportOptions,
  RecoveryApi,
  RestoreOptions,
  SetPasswordOptions,
  UpdatePasswordOptions,
} from './client/recovery-api.js'
export type { FrameState } from './client/shared-frame.js'
export type { WalletForOperation, WalletWithBackup } from './protocol/messages.js'
export type {
  BackupReceipt,
  BackupStatus,
  BackupTarget,
  ExternalAbout,
  ExternalName,
  Policy,
  ProgramRule,
  Progress,
  ShareSet,
  TokenRule,
  WaasWallet,
} from './protocol/wallet.js'
export { VERSION } from './version.js'
