/**
 * Codes that a user reads on one screen and types on another: letters and digits that users do not confuse (Crockford's
 * base 32), in groups that can be read aloud.
 */
import { field } from './dom.js'

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Encodes five bits of each byte. */
export function toLetters(bytes: Uint8Array): string {
  return Array.from(bytes, byte => LETTERS[byte % 32]).join('')
}

export function isLetters(text: string): boolean {
  return [...text].every(letter => LETTERS.includes(letter))
}

/** @example getGroups('ABCDEF', 3) // ['ABC', 'DEF'] */
export function getGroups(letters: string, size: number): readonly string[] {
  return letters.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
}

/** Normalizes a typed code: accepts any case, optional dashes, and letters that look like digits. */
export function readTyped(text: string): string {
  return text.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Creates the field for one group of a code. */
export function groupField(label: string, hint: string) {
  const attributes = { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters', maxlength: '12' }
  const { row, input } = field(label, { ...attributes, required: true }, hint)
  return { row, read: () => readTyped(input.value) }
}
