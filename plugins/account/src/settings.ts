/** What the product API says of an environment before anybody signs in. Types only. */
import type { Environment, MfaAction, MfaMethod, ThresholdSignatureScheme } from '@keybay/kernel/spec'

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
}
