/** Confirms to the relays that a share was accepted. Until then nothing is signed; repeated after an interruption. */
import { isKeybayError } from '@keybay/kernel'

/** The relays already know, or have forgotten the ceremony after a long time; the first payment then shows which. */
const KNOWN: ReadonlySet<string> = new Set(['ceremony_state', 'ceremony_not_found'])

export function isKnown(error: unknown): boolean {
  return isKeybayError(error) && KNOWN.has(error.code)
}

/** The relay did not respond or is temporarily unavailable; the share is still valid. */
export function isPassing(error: unknown): boolean {
  if (!isKeybayError(error) || error.code === 'frame_relay_unreachable') return true
  return error.status !== undefined && (error.status >= 500 || error.status === 429)
}
