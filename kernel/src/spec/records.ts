/**
 * Types of the records from section 3 of the specification (S3.3–S3.6, S3.8; S3.2 is in `solana-network.ts`). The
 * package that receives a record checks it.
 */
import type { Chain, SocialProvider } from './enumerations.js'

export interface WalletProperties {
  readonly turnkeySubOrganizationId?: string | undefined
  readonly isSessionKeyCompatible?: boolean | undefined
}

/** Wallet as the product API returns it (S3.3). Names that begin with `turnkey` are embedded wallets. */
export interface WalletCredential {
  readonly address: string
  readonly id: string
  readonly walletName: string
  readonly chain: Chain
  /** Wallet that signs for a smart-contract wallet. Undefined for the wallets of Keybay's plugins, which sign themselves. */
  readonly signerRefId?: string | undefined
  readonly walletProperties?: WalletProperties | undefined
}

/** Attestation of a new passkey for the key-custody service (S3.4). Fields are base64url. */
export interface RecoveryPasskeyAttestation {
  readonly attestationObject: string
  readonly clientDataJson: string
  readonly credentialId: string
  /** Transport names from WebAuthn, e.g. `internal`, `hybrid`. */
  readonly transports: readonly string[]
}

/** Short-lived signing key (S3.5). `privateKey` is secret: never log it, never send it. */
export interface SessionKey {
  readonly publicKey: string
  readonly privateKey: string
  /** ISO 8601 */
  readonly expirationDate: string
}

export type OAuthCompletionType = 'authorization_response' | 'telegram_completed'
/** Message from the popup or the return page when a social sign-in ends (S3.8), with either `code` or `error`. */
export interface OAuthCompletion {
  readonly type: OAuthCompletionType
  readonly provider: SocialProvider
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
}
