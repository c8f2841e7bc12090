/** Random texts and their comparison. */
import { equalBytes, toBase64Url, utf8 } from '@keybay/kernel/spec'

export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)))
}

/** Compares in a time that depends on the lengths only. */
export function equalText(a: string, b: string): boolean {
  return equalBytes(utf8(a), utf8(b))
}
