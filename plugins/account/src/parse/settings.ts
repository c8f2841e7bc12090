import {
  isEnvironment,
  isMfaAction,
  isMfaMethod,
  isThresholdSignatureScheme,
  type SolanaNetwork,
} from '@keybay/kernel/spec'
import type { Settings } from '../settings.js'
import { flag, list, number, optional, type Rule, shape, text } from './check.js'

/** An icon may be a `data:` address of any length. */
const anyText: Rule<string> = (value): value is string => typeof value === 'string'
const isNetwork: Rule<SolanaNetwork> = shape<SolanaNetwork>({
  chainId: number,
  networkId: number,
  cluster: text,
  genesisHash: text,
  name: text,
  vanityName: optional(text),
  key: text,
  rpcUrls: list(text),
  privateCustomerRpcUrls: optional(list(text)),
  blockExplorerUrls: list(text),
  iconUrls: list(anyText),
  isTestnet: flag,
  nativeCurrency: shape<SolanaNetwork['nativeCurrency']>({
    decimals: number,
    name: text,
    symbol: text,
    pricingProviderTokenId: optional(text),
    iconUrl: optional(anyText),
  }),
})

export const isSettings: Rule<Settings> = shape<Settings>({
  environmentId: text,
  name: text,
  environment: isEnvironment,
  signIn: shape<Settings['signIn']>({
    wallet: flag,
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
  networks: optional(list(isNetwork)),
  transactions: optional(shape<NonNullable<Settings['transactions']>>({ sponsored: flag })),
  session: optional(shape<NonNullable<Settings['session']>>({ accessTokenSeconds: number, days: number })),
  custody: optional(shape<NonNullable<Settings['custody']>>({ enabled: flag, emailRecovery: flag })),
})
