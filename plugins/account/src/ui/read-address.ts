/** Parses the text of a field that takes an email address, a phone number, or either. */

export type AddressKind = 'email' | 'phone'

export type Address =
  | { readonly kind: 'email'; readonly input: { readonly email: string }; readonly problem?: undefined }
  | { readonly kind: 'phone'; readonly input: { readonly phoneNumber: string }; readonly problem?: undefined }
  | { readonly kind?: undefined; readonly input?: undefined; readonly problem: Problem }

type Problem = 'wrongEmail' | 'wrongPhone' | 'wrongBoth'
const problems: { readonly [K in AddressKind | 'both']: Problem } = {
  email: 'wrongEmail',
  phone: 'wrongPhone',
  both: 'wrongBoth',
}
export const EXAMPLES = { email: 'you@example.com', phone: '+41 79 123 45 67' } as const

/** Rejects only obvious mistakes: the API has the rules. */
function isEmail(text: string): boolean {
  return /^\S+@\S+\.\S+$/.test(text)
}

function isPhone(text: string): boolean {
  return /^(\+|00)[\d\s().-]{6,24}$/.test(text)
}

export function readAddress(typed: string, kinds: readonly AddressKind[]): Address {
  const text = typed.trim()
  if (kinds.includes('email') && isEmail(text)) return { kind: 'email', input: { email: text } }
  if (kinds.includes('phone') && isPhone(text)) return { kind: 'phone', input: { phoneNumber: text } }
  return { problem: problems[kinds.length > 1 ? 'both' : (kinds[0] ?? 'both')] }
}
