/** Telling the relays that a share was taken. Until they know, nothing is signed; who was stopped in between tells them again. */
import { isKeybayError } from '@keybay/kernel'

/** They know already; or it was so long ago that they have forgotten how it began: then the first payment shows it. */
const KNOWN: ReadonlySet<string> = new Set(['ceremony_state', 'ceremony_not_found'])

export function isKnown(error: unknown): boolean {
  return isKeybayError(error) && KNOWN.has(error.code)
}

/** Nobody answered, or not now: what was brought is still good. */
export function isPassing(error: unknown): boolean {
  if (!isKeybayError(error) || error.code === 'frame_relay_unreachable') return true
  return error.status !== undefined && (error.status >= 500 || error.status === 429)
}
