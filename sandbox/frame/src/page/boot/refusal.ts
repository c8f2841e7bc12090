/** Error of a frame that does not start. */
import { KeybayError } from '@keybay/kernel/spec'
import { frameRefused } from '@keybay/waas/protocol'

/** @param detail says what does not fit, never a value that came from outside */
export function refuse(detail: string): KeybayError {
  return new KeybayError(frameRefused, { detail })
}
