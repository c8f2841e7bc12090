/** Public settings of an environment, readable before sign-in. Types only. */
import type { Environment, MfaAction, MfaMethod, SolanaNetwork, ThresholdSignatureScheme } from '@keybay/kernel/spec'

export interface Settings {
  readonly environmentId: string
  readonly name: string
  readonly environment: Environment
  readonly signIn: {
    readonly wallet: boolean
    /** Wallets that sign no messages may sign a transaction that is never sent. Undefined if the API does not report it. */
    readonly walletTransaction?: boolean | undefined
    readonly email: boolean
    readonly phone: boolean
    readonly passkey: boolean
    readonly external: boolean
    /** IDs of working providers: those of the specification and the app's own. */
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
  // Undefined if the API does not report it.
  readonly networks?: readonly SolanaNetwork[] | undefined
  /** `sponsored`: the API may pay the fees of Solana transactions. */
  readonly transactions?: { readonly sponsored: boolean } | undefined
  /** `accessTokenSeconds`: lifetime of an access token, which is renewed until the session ends after `days`. */
  readonly session?: { readonly accessTokenSeconds: number; readonly days: number } | undefined
  /** Custody wallets: enabled, and recoverable by email. */
  readonly custody?: { readonly enabled: boolean; readonly emailRecovery: boolean } | undefined
}
