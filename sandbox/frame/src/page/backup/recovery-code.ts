/**
 * A recovery code: 150 random bits and a checksum, in letters and digits that users do not confuse (Crockford's
 * base 32), in eight groups of four that can be read aloud.
 */
import { utf8 } from '@keybay/kernel/spec'
import { sha256 } from '@noble/hashes/sha2.js'

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM = 30
const ALL = 32

function checksumOf(characters: string): string {
  const [first = 0, second = 0] = sha256(utf8(`keybay/recovery-code/1/${characters}`))
  return `${LETTERS[first % 32]}${LETTERS[second % 32]}`
}

function grouped(characters: string): string {
  return characters.replace(/.{4}(?=.)/g, '$&-')
}

export function newRecoveryCode(): string {
  const characters = Array.from(crypto.getRandomValues(new Uint8Array(RANDOM)), byte => LETTERS[byte % 32]).join('')
  return grouped(characters + checksumOf(characters))
}

/** Normalizes a typed code: any case, with or without dashes, with letters that look like digits. */
function plain(text: string): string {
  return text.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Returns whether a text has the length and letters of a code, whatever its checksum. */
export function looksLikeCode(text: string): boolean {
  const characters = plain(text)
  return characters.length === ALL && [...characters].every(letter => LETTERS.includes(letter))
}

/**
 * The code in the one form that seals and opens.
 *
 * @returns undefined for what is no code, or one with a slip of the pen
 */
export function readRecoveryCode(text: string): string | undefined {
  if (!looksLikeCode(text)) return undefined
  const characters = plain(text)
  return checksumOf(characters.slice(0, RANDOM)) === characters.slice(RANDOM) ? grouped(characters) : undefined
}

/** Returns the secret for an envelope: a code in its normal form, or the password. */
export function unlockText(typed: string): string {
  return readRecoveryCode(typed) ?? typed
}
