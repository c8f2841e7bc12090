/** An address as the API takes it. The API is the judge; here is refused only what can be no address at all. */
import type { Channel, ChannelErrors } from './plugin.js'

const LONGEST_EMAIL = 254

function emailOf(text: string): string | undefined {
  return text.length <= LONGEST_EMAIL && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) ? text : undefined
}

/** E.164. */
function phoneOf(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined
}

/** @throws KeybayError `email_cannot_be_null`, `invalid_email`, `invalid_phone` */
export function addressOf({ method }: Channel, [KeybayError, missing, invalid]: ChannelErrors, given: unknown): string {
  const text = typeof given === 'string' ? given.trim() : ''
  if (!text) throw new KeybayError(missing)
  const address = method === 'email' ? emailOf(text) : phoneOf(text)
  if (!address) throw new KeybayError(invalid)
  return address
}
