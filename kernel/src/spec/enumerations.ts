/**
 * Every enumeration in section 3 of the specification (S3.1): its values in the specification's order, the union
 * type derived from them, and a guard for external values.
 *
 * @example
 * if (!isSocialProvider(body.provider)) throw new KeybayError(invalidProvider)
 */

function oneOf<const T>(values: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => values.some(known => known === value)
}

/** Guard for one enumeration: true only for an exact value (case and white space count). */
export type Guard<T> = (value: unknown) => value is T
export const AUTHENTICATION_METHODS = [
  'blockchain',
  'email',
  'oauth',
  'passkey',
  'phoneNumber',
  'externalUser',
] as const
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number]
export const isAuthenticationMethod: Guard<AuthenticationMethod> = /* @__PURE__ */ oneOf(AUTHENTICATION_METHODS)
export const SOCIAL_PROVIDERS = [
  'apple',
  'bitbucket',
  'coinbasesocial',
  'discord',
  'epicgames',
  'facebook',
  'farcaster',
  'github',
  'gitlab',
  'google',
  'instagram',
  'linkedin',
  'microsoft',
  'twitch',
  'twitter',
  'telegram',
  'spotify',
  'tiktok',
  'line',
  'steam',
  'shopify',
  'kraken',
] as const
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number]
export const isSocialProvider: Guard<SocialProvider> = /* @__PURE__ */ oneOf(SOCIAL_PROVIDERS)
export const CHAINS = ['ETH', 'EVM', 'FLOW', 'SOL', 'ALGO', 'STARK', 'COSMOS', 'BTC', 'ECLIPSE', 'SUI'] as const
export type Chain = (typeof CHAINS)[number]
export const isChain: Guard<Chain> = /* @__PURE__ */ oneOf(CHAINS)
export const WALLET_BACKENDS = ['turnkey', 'turnkeyhd', 'dynamicWaas'] as const
export type WalletBackend = (typeof WALLET_BACKENDS)[number]
export const isWalletBackend: Guard<WalletBackend> = /* @__PURE__ */ oneOf(WALLET_BACKENDS)
export const THRESHOLD_SIGNATURE_SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const
export type ThresholdSignatureScheme = (typeof THRESHOLD_SIGNATURE_SCHEMES)[number]
export const isThresholdSignatureScheme: Guard<ThresholdSignatureScheme> =
  /* @__PURE__ */ oneOf(THRESHOLD_SIGNATURE_SCHEMES)
export const MFA_METHODS = ['totp', 'passkey', 'email'] as const
export type MfaMethod = (typeof MFA_METHODS)[number]
export const isMfaMethod: Guard<MfaMethod> = /* @__PURE__ */ oneOf(MFA_METHODS)
/** Actions that may require a second factor. A token authorizes one action only. */
export const MFA_ACTIONS = [
  'wallet.waas.sign',
  'wallet.waas.export',
  'wallet.waas.reshare',
  'wallet.waas.refresh',
  'user.update',
] as const
export type MfaAction = (typeof MFA_ACTIONS)[number]
export const isMfaAction: Guard<MfaAction> = /* @__PURE__ */ oneOf(MFA_ACTIONS)
export const BACKUP_PROVIDERS = ['googleDrive', 'icloud', 'dynamic', 'external'] as const
export type BackupProvider = (typeof BACKUP_PROVIDERS)[number]
export const isBackupProvider: Guard<BackupProvider> = /* @__PURE__ */ oneOf(BACKUP_PROVIDERS)
export const WALLET_KEY_TYPES = ['ordinals', 'payment', 'cosmos', 'evm'] as const
export type WalletKeyType = (typeof WALLET_KEY_TYPES)[number]
export const isWalletKeyType: Guard<WalletKeyType> = /* @__PURE__ */ oneOf(WALLET_KEY_TYPES)
export const WALLET_CONNECTION_TYPES = [
  'browserExtension',
  'custodialService',
  'walletConnect',
  'qrCode',
  'deepLink',
  'embeddedWallet',
  'smartContractWallet',
] as const
export type WalletConnectionType = (typeof WALLET_CONNECTION_TYPES)[number]
export const isWalletConnectionType: Guard<WalletConnectionType> = /* @__PURE__ */ oneOf(WALLET_CONNECTION_TYPES)
export const ACCOUNT_ABSTRACTION_PROVIDERS = ['STACKUP', 'PIMLICO', 'ALCHEMY', 'GELATO'] as const
export type AccountAbstractionProvider = (typeof ACCOUNT_ABSTRACTION_PROVIDERS)[number]
export const isAccountAbstractionProvider: Guard<AccountAbstractionProvider> =
  /* @__PURE__ */ oneOf(ACCOUNT_ABSTRACTION_PROVIDERS)
/** Product environments. */
export const ENVIRONMENTS = ['sandbox', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export const isEnvironment: Guard<Environment> = /* @__PURE__ */ oneOf(ENVIRONMENTS)
export const VERIFICATION_STEPS = ['done', 'verify-email', 'verified-and-transferred', 'verify-sms'] as const
export type VerificationStep = (typeof VERIFICATION_STEPS)[number]
export const isVerificationStep: Guard<VerificationStep> = /* @__PURE__ */ oneOf(VERIFICATION_STEPS)
export const ONRAMP_PROVIDERS = ['banxa', 'coinbaseOnramp'] as const
export type OnrampProvider = (typeof ONRAMP_PROVIDERS)[number]
export const isOnrampProvider: Guard<OnrampProvider> = /* @__PURE__ */ oneOf(ONRAMP_PROVIDERS)
/** Status of an on-ramp or a transfer. Servers use both `completed` and `complete`. */
export const ONRAMP_STATUSES = ['pending', 'completed', 'complete'] as const
export type OnrampStatus = (typeof ONRAMP_STATUSES)[number]
export const isOnrampStatus: Guard<OnrampStatus> = /* @__PURE__ */ oneOf(ONRAMP_STATUSES)
export const DURATION_UNITS = ['days', 'hours', 'minutes'] as const
export type DurationUnit = (typeof DURATION_UNITS)[number]
export const isDurationUnit: Guard<DurationUnit> = /* @__PURE__ */ oneOf(DURATION_UNITS)
export const USER_LOOKUP_KEYS = [
  'email',
  'id',
  'externalUserId',
  'phoneNumber',
  'socialUsername',
  'socialAccountId',
] as const
export type UserLookupKey = (typeof USER_LOOKUP_KEYS)[number]
export const isUserLookupKey: Guard<UserLookupKey> = /* @__PURE__ */ oneOf(USER_LOOKUP_KEYS)
/** Operations that need key shares. `NO_OPERATION` reads public data only. */
export const WALLET_OPERATIONS = [
  'REACH_THRESHOLD',
  'REACH_ALL_PARTIES',
  'SIGN_MESSAGE',
  'SIGN_TRANSACTION',
  'REFRESH',
  'RESHARE',
  'EXPORT_PRIVATE_KEY',
  'NO_OPERATION',
] as const
export type WalletOperation = (typeof WALLET_OPERATIONS)[number]
export const isWalletOperation: Guard<WalletOperation> = /* @__PURE__ */ oneOf(WALLET_OPERATIONS)
/** Values of `KeybayError.walletCode`: error numbers that wallets report. */
export const WALLET_ERROR_CODES = {
  UNKNOWN: 0,
  DEFAULT: 1,
  USER_REJECTED: 2,
  MESSAGE_SIGNATURE_DENIED: 3,
  WALLET_LOCKED: 4,
  INVALID_PARAMETERS: 5,
  INTERNAL_ERROR: 6,
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_PROFILE: 7,
  CONNECTION_REJECTED: 8,
  MISSING_PUBLIC_ADDRESS: 9,
  CONNECTION_PROPOSAL_EXPIRED: 10,
  SEI_NOT_ENABLED_IN_KEPLR_WALLET: 11,
} as const
export type WalletErrorName = keyof typeof WALLET_ERROR_CODES
export type WalletErrorCode = (typeof WALLET_ERROR_CODES)[WalletErrorName]
export const isWalletErrorCode: Guard<WalletErrorCode> = /* @__PURE__ */ oneOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
