/** Normalises an address for the API, which decides; this refuses only what cannot be an address. */
import { emailCannotBeNull, invalidEmail, invalidPhone, isKeybayError, KeybayError } from '@keybay/kernel/spec'
import type { CodeMethod } from './prompts.js'

const MAX_EMAIL_CHARACTERS = 254

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARACTERS && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}
/** Returns the number as E.164. */
function normalizePhone(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined
}
/** @throws KeybayError `email_cannot_be_null`, `invalid_email`, `invalid_phone` */
export function readAddress(method: CodeMethod, input: unknown): string {
  const text = typeof input === 'string' ? input.trim() : ''
  if (method === 'phoneNumber') {
    const phone = normalizePhone(text)
    if (phone === undefined) throw new KeybayError(invalidPhone)
    return phone
  }
  if (!text) throw new KeybayError(emailCannotBeNull)
  if (!isEmail(text)) throw new KeybayError(invalidEmail)
  return text
}
/** True for an error after which the user can type another address. */
export function isAddressError(error: unknown): error is KeybayError {
  return [emailCannotBeNull, invalidEmail, invalidPhone].some(spec => isKeybayError(error, spec))
}
