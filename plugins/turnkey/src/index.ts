/** Custody wallets over the Turnkey wire protocol. Read `plugin.ts` first, then `api.ts`. */
export type {
  AddAccountOptions,
  BeginRecoveryOptions,
  CompleteRecoveryOptions,
  CreateWalletOptions,
  CustodyActivity,
  CustodyUser,
  ExportKeyOptions,
  ExportTarget,
  RecoveryState,
  SessionState,
  SignTypedDataFeature,
  TurnkeyApi,
} from './api.js'
export { custodyUnfinished, custodyUnreachable, exportBundleInvalid, recoveryCodeInvalid } from './errors.js'
export { type TurnkeyConnector, type TurnkeyOptions, turnkey } from './plugin.js'
export { VERSION } from './version.js'
