/** What the product API says of an environment before anybody signs in. Types only. */
import type { Environment, MfaAction, MfaMethod, SolanaNetwork, ThresholdSignatureScheme } from '@keybay/kernel/spec'

export interface Settings {
  readonly environmentId: string
  readonly name: string
  readonly environment: Environment
  readonly signIn: {
    readonly wallet: boolean
    readonly email: boolean
    readonly phone: boolean
    readonly passkey: boolean
    readonly external: boolean
    /** Ids of the providers that work: those of the specification, and the host's own. */
    readonly social: readonly string[]
  }
  readonly required: { readonly email: boolean; readonly phone: boolean }
  readonly mfa: {
    readonly methods: readonly MfaMethod[]
    readonly actions: readonly MfaAction[]
    readonly atSignIn: boolean
  }
  readonly passkey: { readonly rpId: string; readonly rpName: string }
  readonly embeddedWallets: {
    readonly enabled: boolean
    readonly thresholdSignatureScheme: ThresholdSignatureScheme
    readonly mostPerUser: number
  }
  // Undefined where the API does not say.
  /** Solana's, as the environment has them. */
  readonly networks?: readonly SolanaNetwork[] | undefined
  /** Whether the API may pay the fees of Solana transactions. */
  readonly transactions?: { readonly sponsored: boolean } | undefined
  /** `accessTokenSeconds`: of an access token, which is renewed until the `days` of the session are over. */
  readonly session?: { readonly accessTokenSeconds: number; readonly days: number } | undefined
  /** Wallets that the key-custody service keeps, and whether a mail brings them back. */
  readonly custody?: { readonly enabled: boolean; readonly emailRecovery: boolean } | undefined
}
