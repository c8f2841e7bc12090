/** Prompts for the secret of a new backup, in code that loads with the frame's window. */
import { KeybayError } from '@keybay/kernel/spec'
import { consentRequired } from '@keybay/waas/protocol'
import type { AskNew } from '../backup/secret.js'
import { openWindow } from '../core/chain-kit.js'
import type { Frame } from '../core/frame.js'

export function askNew(frame: Frame): AskNew {
  return async (target, signal) => {
    if (!frame.screen.visible) throw new KeybayError(consentRequired)
    return (await openWindow(frame)).askNewSecret(frame.screen, target, signal)
  }
}
