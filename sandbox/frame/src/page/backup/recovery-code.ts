/** Makes and reads recovery codes: 150 random bits and a checksum, in eight groups of four. */
import { utf8 } from '@keybay/kernel/spec'
import { sha256 } from '@noble/hashes/sha2.js'
import { getGroups, isLetters, readTyped, toLetters } from '../screen/code.js'

const RANDOM = 30
const ALL = 32

function getChecksum(characters: string): string {
  return toLetters(sha256(utf8(`keybay/recovery-code/1/${characters}`)).subarray(0, ALL - RANDOM))
}

function grouped(characters: string): string {
  return getGroups(characters, 4).join('-')
}

export function newRecoveryCode(): string {
  const characters = toLetters(crypto.getRandomValues(new Uint8Array(RANDOM)))
  return grouped(characters + getChecksum(characters))
}

/** Returns true if a text has the length and alphabet of a code. Does not verify the checksum. */
export function looksLikeCode(text: string): boolean {
  const characters = readTyped(text)
  return characters.length === ALL && isLetters(characters)
}

/**
 * Returns a code in the normal form that seals and opens backups.
 * @returns undefined if the text is no code, or has a typing error
 */
export function readRecoveryCode(text: string): string | undefined {
  if (!looksLikeCode(text)) return undefined
  const characters = readTyped(text)
  return getChecksum(characters.slice(0, RANDOM)) === characters.slice(RANDOM) ? grouped(characters) : undefined
}

/** Returns the secret for an envelope: a code in its normal form, or the password. */
export function unlockText(typed: string): string {
  return readRecoveryCode(typed) ?? typed
}
