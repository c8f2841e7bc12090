import type { MfaMethod } from '@keybay/kernel/spec'
import { type GlyphName, promptMessages } from '@keybay/react/ui'

export const FACTOR_TEXTS = { totp: 'factor_totp', passkey: 'factor_passkey', email: 'factor_email' } as const
export const FACTOR_GLYPHS: { readonly [M in MfaMethod]: GlyphName } = { totp: 'device', passkey: 'key', email: 'mail' }

/** Name of a device that the user did not name: always English, because the API stores it. */
export function getDefaultName(method: MfaMethod): string {
  return promptMessages.texts[FACTOR_TEXTS[method]]
}

export function isDefaultName(name: string, method: MfaMethod): boolean {
  return name === getDefaultName(method)
}
