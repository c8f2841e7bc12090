/**
 * Records from section 3 of the specification (S3.3–S3.6, S3.8, S3.9; S3.2 is in `solana-network.ts`), and a check
 * for each record that comes from the product API, a frame, a popup or an app's configuration.
 */
import { type Check, check, flag, list, optional, type Rule, type Rules, record, text } from './check.js'
import { type Chain, isChain, isSocialProvider, type SocialProvider } from './enumerations.js'

const httpUrl: Rule<string> = (value): value is string =>
  text(value) && /^https?:\/\//.test(value) && URL.canParse(value)

export interface WalletProperties {
  readonly turnkeySubOrganizationId?: string | undefined
  readonly isSessionKeyCompatible?: boolean | undefined
}

function walletProperties(): Rules<WalletProperties> {
  return { turnkeySubOrganizationId: optional(text), isSessionKeyCompatible: optional(flag) }
}

/** Wallet as the product API returns it (S3.3). Names that begin with `turnkey` are embedded wallets. */
export interface WalletCredential {
  readonly address: string
  readonly id: string
  readonly walletName: string
  readonly chain: Chain
  /** Wallet that signs for this one (smart-contract wallets). */
  readonly signerRefId?: string | undefined
  readonly walletProperties?: WalletProperties | undefined
}
export const checkWalletCredential: Check<WalletCredential> = /* @__PURE__ */ check<WalletCredential>(
  'WalletCredential',
  () => ({
    address: text,
    id: text,
    walletName: text,
    chain: isChain,
    signerRefId: optional(text),
    walletProperties: optional(record(walletProperties())),
  }),
)

/** Attestation of a new passkey for the key-custody service (S3.4). Fields are base64url. */
export interface RecoveryPasskeyAttestation {
  readonly attestationObject: string
  readonly clientDataJson: string
  readonly credentialId: string
  /** Transport names from WebAuthn, e.g. `internal`, `hybrid`. */
  readonly transports: readonly string[]
}
const base64url: Rule<string> = (value): value is string => text(value) && /^[\w-]+={0,2}$/.test(value)
export const checkRecoveryPasskeyAttestation: Check<RecoveryPasskeyAttestation> =
  /* @__PURE__ */ check<RecoveryPasskeyAttestation>('RecoveryPasskeyAttestation', () => ({
    attestationObject: base64url,
    clientDataJson: base64url,
    credentialId: base64url,
    transports: list(text),
  }))

/** Short-lived signing key (S3.5). `privateKey` is secret: never log it, never send it. */
export interface SessionKey {
  readonly publicKey: string
  readonly privateKey: string
  /** ISO 8601 */
  readonly expirationDate: string
}
export const checkSessionKey: Check<SessionKey> = /* @__PURE__ */ check<SessionKey>('SessionKey', () => ({
  publicKey: text,
  privateKey: text,
  expirationDate: (value): value is string => text(value) && !Number.isNaN(Date.parse(value)),
}))

/** Parameters of a wallet client (S3.6). */
export interface WalletClientParameters {
  readonly environmentId: string
  /** Secret. */
  readonly authToken: string
  readonly baseApiUrl: string
  readonly baseMPCRelayApiUrl: string
  readonly chainName: Chain
  readonly sdkVersion: string
  readonly debug?: boolean | undefined
}
export const checkWalletClientParameters: Check<WalletClientParameters> = /* @__PURE__ */ check<WalletClientParameters>(
  'WalletClientParameters',
  () => ({
    environmentId: text,
    authToken: text,
    baseApiUrl: httpUrl,
    baseMPCRelayApiUrl: httpUrl,
    chainName: isChain,
    sdkVersion: text,
    debug: optional(flag),
  }),
)

export type OAuthCompletionType = 'authorization_response' | 'telegram_completed'
/** Message from the popup or the return page when a social sign-in ends (S3.8), with either `code` or `error`. */
export interface OAuthCompletion {
  readonly type: OAuthCompletionType
  readonly provider: SocialProvider
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
}
export const checkOAuthCompletion: Check<OAuthCompletion> = /* @__PURE__ */ check<OAuthCompletion>(
  'OAuthCompletion',
  () => ({
    type: (value): value is OAuthCompletionType => value === 'authorization_response' || value === 'telegram_completed',
    provider: isSocialProvider,
    code: optional(text),
    state: optional(text),
    error: optional(text),
  }),
)

/** Error as stored, sent and received (S3.9). `KeybayError` has more fields; these two are always present. */
export interface ErrorRecord {
  readonly code: string
  readonly message: string
}
/** Allows other fields, because servers add their own. */
export const isErrorRecord: Rule<ErrorRecord> = (value): value is ErrorRecord =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'message' in value &&
  text(value.code) &&
  text(value.message)
