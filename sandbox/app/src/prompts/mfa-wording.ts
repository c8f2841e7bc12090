/** Display names and descriptions of the second factors. */
import type { MfaAction, MfaMethod } from '@keybay/kernel/spec'
import type { IconName } from '../design/icons.js'

export const factors: { readonly [M in MfaMethod]: { readonly name: string; readonly icon: IconName } } = {
  totp: { name: 'Authenticator app', icon: 'device' },
  passkey: { name: 'Passkey', icon: 'key' },
  email: { name: 'Code by email', icon: 'mail' },
}

/** Reasons for the prompt. */
export const reasons: { readonly [A in 'sign-in' | MfaAction]: string } = {
  'sign-in': 'Your account asks for a second step when you sign in.',
  'user.update': 'Your account asks for a second step before it is changed.',
  'wallet.waas.sign': 'Your account asks for a second step before your wallet signs.',
  'wallet.waas.export': 'Your account asks for a second step before a key leaves it.',
  'wallet.waas.reshare': 'Your account asks for a second step before the shares of your wallet change.',
  'wallet.waas.refresh': 'Your account asks for a second step before the shares of your wallet are renewed.',
}
