/** Signed-in user of a Keybay instance. `api.ts` describes the API for apps and login plugins. */
export type { SolanaSignIn } from '@keybay/kernel'
export type {
  AccountApi,
  AccountMfa,
  AccountRequest,
  CallOptions,
  Entrance,
  EntranceOptions,
  MfaEnrolment,
  SessionOperation,
  UserState,
  UserStore,
} from './api.js'
export { reauthenticationRequired, walletProofInvalid } from './errors.js'
export { type AccountOptions, account } from './plugin.js'
export type { MfaAnswer, Proved, SocialTicket } from './prompts.js'
export type { Settings } from './settings.js'
export type {
  MfaDevice,
  SecurityEvent,
  SecurityLogPage,
  SocialProfile,
  User,
  UserCredential,
  UserExport,
  UserSession,
} from './user.js'
export { VERSION } from './version.js'
