import type { MfaMethod } from '@keybay/kernel/spec'
import { type GlyphName, promptMessages } from '@keybay/react/ui'

export const FACTOR_TEXTS = { totp: 'factor_totp', passkey: 'factor_passkey', email: 'factor_email' } as const
export const FACTOR_GLYPHS: { readonly [M in MfaMethod]: GlyphName } = { totp: 'device', passkey: 'key', email: 'mail' }

/** Devices that the user did not name have the English name of their method. */
export function isDefaultName(name: string, method: MfaMethod): boolean {
  return name === promptMessages.texts[FACTOR_TEXTS[method]]
}
