import { isAuthenticationMethod, isChain, isMfaMethod, isVerificationStep } from '@keybay/kernel/spec'
import type {
  MfaDevice,
  SecurityEvent,
  SecurityLogPage,
  SocialProfile,
  User,
  UserCredential,
  UserExport,
  UserSession,
} from '../user.js'
import { flag, isObject, list, nullable, number, optional, type Rule, shape, text } from './check.js'

const isProfile: Rule<SocialProfile> = shape<SocialProfile>({
  id: text,
  username: optional(text),
  name: optional(text),
  email: optional(text),
  emailVerified: flag,
  picture: optional(text),
})
export const isCredential: Rule<UserCredential> = shape<UserCredential>({
  id: text,
  method: isAuthenticationMethod,
  email: optional(text),
  phoneNumber: optional(text),
  address: optional(text),
  chain: optional(isChain),
  walletName: optional(text),
  externalUserId: optional(text),
  provider: optional(text),
  accountId: optional(text),
  profile: optional(isProfile),
  passkeyId: optional(text),
  name: optional(text),
  createdAt: number,
  lastUsedAt: number,
})
export const isDevice: Rule<MfaDevice> = shape<MfaDevice>({
  id: text,
  method: isMfaMethod,
  name: text,
  createdAt: optional(number),
})
export const isUser: Rule<User> = shape<User>({
  id: text,
  username: nullable(text),
  email: nullable(text),
  phoneNumber: nullable(text),
  metadata: isObject,
  createdAt: number,
  lastSignInAt: number,
  step: isVerificationStep,
  deletesAt: optional(nullable(number)),
  credentials: list(isCredential),
  mfa: shape<User['mfa']>({ devices: list(isDevice), recoveryCodes: number }),
})
const isSession = shape<UserSession>({
  id: text,
  current: flag,
  method: text,
  userAgent: nullable(text),
  createdAt: number,
  lastUsedAt: number,
  expiresAt: number,
})
export const isSessionList: Rule<{ readonly sessions: readonly UserSession[] }> = shape<{
  readonly sessions: readonly UserSession[]
}>({ sessions: list(isSession) })
export const isEnded: Rule<{ readonly ended: number }> = shape<{ readonly ended: number }>({ ended: number })
export const isSecurityLogPage: Rule<SecurityLogPage> = shape<SecurityLogPage>({
  events: list(
    shape<SecurityEvent>({
      id: text,
      kind: text,
      at: number,
      device: nullable(text),
      network: nullable(text),
      detail: nullable(text),
    }),
  ),
  next: nullable(text),
})
/** A topic may have any number of rows: the security log keeps every event. */
function isRows(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
export const isUserExport: Rule<UserExport> = shape<UserExport>({
  exportedAt: number,
  api: (value): value is UserExport['api'] => isObject(value) && Object.values(value).every(isRows),
  relays: isRows,
  custody: (value): value is unknown => value !== undefined,
})
