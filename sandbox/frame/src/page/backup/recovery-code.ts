/**
 * Makes and reads recovery codes: 150 random bits and a checksum, in letters and digits that users do not confuse
 * (Crockford's base 32), in eight groups of four that can be read aloud.
 */
import { utf8 } from '@keybay/kernel/spec'
import { sha256 } from '@noble/hashes/sha2.js'

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM = 30
const ALL = 32

function getChecksum(characters: string): string {
  const [first = 0, second = 0] = sha256(utf8(`keybay/recovery-code/1/${characters}`))
  return `${LETTERS[first % 32]}${LETTERS[second % 32]}`
}

function grouped(characters: string): string {
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

export function newRecoveryCode(): string {
  const characters = Array.from(crypto.getRandomValues(new Uint8Array(RANDOM)), byte => LETTERS[byte % 32]).join('')
  return grouped(characters + getChecksum(characters))
}

/** Normalizes a typed code: accepts any case, optional dashes, and letters that look like digits. */
function plain(text: string): string {
  return text.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Returns true if a text has the length and alphabet of a code. Does not verify the checksum. */
export function looksLikeCode(text: string): boolean {
  const characters = plain(text)
  return characters.length === ALL && [...characters].every(letter => LETTERS.includes(letter))
}

/**
 * Returns a code in the normal form that seals and opens backups.
 * @returns undefined if the text is no code, or has a typing error
 */
export function readRecoveryCode(text: string): string | undefined {
  if (!looksLikeCode(text)) return undefined
  const characters = plain(text)
  return getChecksum(characters.slice(0, RANDOM)) === characters.slice(RANDOM) ? grouped(characters) : undefined
}

/** Returns the secret for an envelope: a code in its normal form, or the password. */
export function unlockText(typed: string): string {
  return readRecoveryCode(typed) ?? typed
}
