import {
  isEnvironment,
  isMfaAction,
  isMfaMethod,
  isThresholdSignatureScheme,
  type SolanaNetwork,
  solanaNetworksProblem,
} from '@keybay/kernel/spec'
import type { Settings } from '../settings.js'
import { flag, isObject, list, number, optional, type Rule, shape, text } from './check.js'

const areNetworks: Rule<readonly SolanaNetwork[]> = (value): value is readonly SolanaNetwork[] =>
  solanaNetworksProblem(value) === undefined

/** Describes what is wrong with the networks of a response whose other fields may be valid. */
export function settingsProblem(value: unknown): string | undefined {
  const networks = isObject(value) ? value.networks : undefined
  return networks === undefined ? undefined : solanaNetworksProblem(networks)
}

export const isSettings: Rule<Settings> = shape<Settings>({
  environmentId: text,
  name: text,
  environment: isEnvironment,
  signIn: shape<Settings['signIn']>({
    wallet: flag,
    walletTransaction: optional(flag),
    email: flag,
    phone: flag,
    passkey: flag,
    external: flag,
    social: list(text),
  }),
  required: shape<Settings['required']>({ email: flag, phone: flag }),
  mfa: shape<Settings['mfa']>({ methods: list(isMfaMethod), actions: list(isMfaAction), atSignIn: flag }),
  passkey: shape<Settings['passkey']>({ rpId: text, rpName: text }),
  embeddedWallets: shape<Settings['embeddedWallets']>({
    enabled: flag,
    thresholdSignatureScheme: isThresholdSignatureScheme,
    mostPerUser: number,
  }),
  networks: optional(areNetworks),
  transactions: optional(shape<NonNullable<Settings['transactions']>>({ sponsored: flag })),
  session: optional(shape<NonNullable<Settings['session']>>({ accessTokenSeconds: number, days: number })),
  custody: optional(shape<NonNullable<Settings['custody']>>({ enabled: flag, emailRecovery: flag })),
})
