/** States of the kit's views of accounts, with a user who does not exist. */
import type { AccountApi, MfaEnrolment, SecurityEvent, Settings, User, UserSession, UserState } from '@keybay/account'
import { DeletionNotice, ProfileCard, SecurityPanel, type SecuritySlots, SignInDialog } from '@keybay/account/ui'
import { KeybayError, type Registered, requestFailed, type SessionStatus } from '@keybay/kernel'
import { userRejected } from '@keybay/kernel/spec'
import { QrCode } from '../design/qr-code.js'
import { keybay } from '../keybay.js'
import { fail, getNone, never, nothing, type State, subscribe } from './state.js'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 0, 15, 12)
const LONG_AGO = NOW - 40 * DAY_MS
const DATES = { createdAt: LONG_AGO, lastUsedAt: NOW }
const EMAIL = 'mara@example.com'
const DEVICE = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0'
const OTHER_DEVICE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/605.1'

const USER: User = {
  id: '4f1c7a52-8f0e-4d5c-9a53-0e5f4a7c1d20',
  username: 'mara',
  email: EMAIL,
  phoneNumber: '+41791234567',
  metadata: {},
  createdAt: LONG_AGO,
  lastSignInAt: NOW,
  step: 'done',
  credentials: [
    { id: '1', method: 'email', email: EMAIL, ...DATES },
    { id: '2', method: 'phoneNumber', phoneNumber: '+41791234567', ...DATES },
    {
      id: '3',
      method: 'blockchain',
      address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      chain: 'SOL',
      walletName: 'Phantom',
      ...DATES,
    },
    { id: '4', method: 'passkey', passkeyId: '4', name: 'Mara’s laptop', ...DATES },
  ],
  mfa: { devices: [], recoveryCodes: 0 },
}
const PROTECTED: User = {
  ...USER,
  mfa: { devices: [{ id: '1', method: 'totp', name: 'Authenticator app', createdAt: LONG_AGO }], recoveryCodes: 2 },
}
const SESSIONS: readonly UserSession[] = [DEVICE, OTHER_DEVICE].map((userAgent, index) => ({
  id: userAgent,
  current: index === 0,
  method: index ? 'passkey' : 'email',
  userAgent,
  expiresAt: NOW + DAY_MS,
  ...DATES,
}))
const EVENTS: readonly SecurityEvent[] = [
  { id: '1', kind: 'new-device', at: NOW, device: 'Firefox on Linux', network: '192.0.2.0/24', detail: 'email' },
  { id: '2', kind: 'factor-added', at: LONG_AGO, device: 'Safari on iOS', network: null, detail: 'totp' },
]
const SETTINGS: Settings = {
  environmentId: 'catalogue',
  name: 'Catalogue',
  environment: 'sandbox',
  signIn: { wallet: true, email: true, phone: true, passkey: true, external: true, social: ['google', 'apple'] },
  required: { email: true, phone: false },
  mfa: { methods: ['totp', 'email', 'passkey'], actions: [], atSignIn: false },
  passkey: { rpId: 'localhost', rpName: 'Catalogue' },
  embeddedWallets: { enabled: true, thresholdSignatureScheme: 'TWO_OF_THREE', mostPerUser: 1 },
}
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const ENROLMENT: MfaEnrolment = {
  device: { id: '1', method: 'totp', name: 'Authenticator app' },
  totp: { secret: SECRET, uri: `otpauth://totp/Catalogue?secret=${SECRET}` },
  expiresAt: NOW,
  confirm: async () => ({ recoveryCodes: ['3VKD-9QPL', 'T7XA-M2ZE', 'BW4N-RH8C', 'K6YF-5UJS'] }),
}
const slots: SecuritySlots = { qrCode: (text, label) => <QrCode {...{ text, label }} /> }

/** Returns the app's instance, with this user. */
function getInstance(status: SessionStatus, state: UserState, calls: Partial<AccountApi> = {}): Registered {
  const { account, passkey, session } = keybay
  const shownSession = { status, userId: USER.id }
  return {
    ...keybay,
    // The page's own dialog has the prompts.
    prompts: { list: getNone, subscribe },
    passkey: { ...passkey, autofill: never },
    session: { ...session, current: shownSession, subscribe },
    account: {
      ...account,
      user: { current: state, subscribe, refresh: async () => state.user },
      settings: async () => SETTINGS,
      sessions: async () => SESSIONS,
      securityLog: async () => ({ events: EVENTS, next: null }),
      mfa: { ...account.mfa, add: async () => ENROLMENT },
      ...calls,
    },
  }
}
const SIGNED_OUT: UserState = { status: 'none' }
const SIGNED_IN = getInstance('authenticated', { status: 'ready', user: USER })

function signIn(calls: Partial<AccountApi>, status: SessionStatus = 'anonymous', state: UserState = SIGNED_OUT): State {
  return { keybay: getInstance(status, state, calls), view: close => <SignInDialog offer="all" onClose={close} /> }
}

export const ACCOUNT_STATES: Readonly<Record<string, State>> = {
  profile: { keybay: SIGNED_IN, view: () => <ProfileCard /> },
  'profile-loading': { keybay: getInstance('authenticated', { status: 'loading' }), view: () => <ProfileCard /> },
  'profile-failed': {
    keybay: getInstance('authenticated', { status: 'error', error: new KeybayError(requestFailed) }),
    view: () => <ProfileCard />,
  },
  deletion: {
    keybay: getInstance('authenticated', { status: 'ready', user: { ...USER, deletesAt: NOW + 30 * DAY_MS } }),
    view: () => <DeletionNotice />,
  },
  security: { keybay: SIGNED_IN, view: () => <SecurityPanel onAdd={nothing} slots={slots} /> },
  'security-advanced': {
    keybay: getInstance('authenticated', { status: 'ready', user: PROTECTED }),
    view: () => <SecurityPanel level="advanced" onAdd={nothing} slots={slots} />,
  },
  'sign-in-waiting': signIn({ signIn: never }),
  'sign-in-failed': signIn({ signIn: fail(new KeybayError(userRejected)) }),
  'sign-in-down': signIn({ settings: fail(new KeybayError(requestFailed)) }),
  'sign-in-host-token': {
    keybay: getInstance('anonymous', SIGNED_OUT),
    view: close => <SignInDialog offer="all" onClose={close} hostToken={{ name: 'Acme', getToken: never }} />,
  },
  verify: signIn({}, 'verification', { status: 'ready', user: { ...USER, email: null, step: 'verify-email' } }),
  'verify-loading': signIn({}, 'verification', { status: 'loading' }),
}
