import { isEnvironment, isMfaAction, isMfaMethod, isThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { Settings } from '../settings.js'
import { flag, list, number, type Rule, shape, text } from './check.js'

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
})
