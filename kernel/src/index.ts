/**
 * The kernel: config, auth token, logging, event bus, storage, and the connectors that plugins register.
 * Read `connector.ts` and `plugin.ts` for what a plugin is, and `keybay.ts` for how an instance starts.
 */
export { type AccountStore, accountStore } from './account-store.js'
export type { Account, Accounts } from './accounts.js'
export type { Config, ResolvedConfig } from './config.js'
export type {
  ConnectContext,
  ConnectionType,
  Connector,
  Credential,
  FeatureName,
  LoginConnector,
  LoginMethod,
  Readiness,
  ResumeContext,
  SolanaSignAndSendTransaction,
  SolanaSignIn,
  SolanaSignMessage,
  SolanaSignTransaction,
  StoredAttempt,
  WalletConnector,
  WalletFeatures,
  WalletWith,
} from './connector.js'
export { type Bus, createStore, type KeybayEvents, type Store } from './events.js'
export type {
  AnyCore,
  ConnectResult,
  Core,
  Found,
  Keybay,
  KeybayOptions,
  Register,
  Registered,
  Registry,
} from './host.js'
export type { Kernel, KeybayPlugins } from './kernel.js'
export { createKeybay } from './keybay.js'
export { type LazyApi, lazyApi, loadOnce } from './lazy.js'
export { type LazyWallet, type LazyWalletOptions, lazyWallet } from './lazy-wallet.js'
export { type ListenerSet, listenerSet } from './listeners.js'
export { type LogEntry, type Logger, type LogLevel, TROUBLESHOOT_KEY } from './logger.js'
export {
  type AnyPlugin,
  type ApisOf,
  type CheckPlugins,
  type ConnectorOf,
  definePlugin,
  type Plugin,
  type Setup,
} from './plugin.js'
export type { KeybayPrompts, Prompt, PromptAnswer, PromptInput, PromptType } from './prompt.js'
export type { Token } from './saved-session.js'
export type { ExchangeContext, Session, SessionControl, SessionProvider } from './session.js'
export type { Attempt, Attempts, Connection, Connections, SessionState, SessionStatus } from './snapshots.js'
export { type Clock, systemClock } from './spec/clock.js'
export {
  aborted,
  accountNotFound,
  appNameNotSet,
  configInvalid,
  connectorNotReady,
  connectTimeout,
  disposed,
  type ErrorFacts,
  type ErrorSpec,
  errorSpec,
  featureMissing,
  internal,
  isKeybayError,
  KeybayError,
  pluginDuplicate,
  pluginMissing,
  redirectUnexpected,
  requestFailed,
  type SerializedError,
  sessionMissing,
  signMessageMissing,
  toKeybayError,
  unknownConnector,
  userRejected,
  versionMismatch,
  walletLocked,
} from './spec/errors.js'
export { redact } from './spec/redact.js'
export type { ConnectorState } from './states.js'
export type { KeyValue } from './storage.js'
export type { TabMessage, Tabs } from './tabs.js'
export { VERSION } from './version.js'
export { noteVersion } from './versions.js'
