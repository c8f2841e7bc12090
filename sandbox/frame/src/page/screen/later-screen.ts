/** The screen of a frame, whose code loads with the first question: a hidden frame asks none, and never loads it. */
import { KeybayError } from '@keybay/kernel/spec'
import { consentRequired } from '@keybay/waas/protocol'
import type { Screen } from './screen.js'

/** @param load loads the screen of a visible frame */
export function createLaterScreen(visible: boolean, load: () => Promise<Screen>): Screen {
  let screen: Screen | undefined
  /** Progress to show once the screen is loaded. */
  let status: string | undefined
  const open = async () => {
    screen ??= await load()
    return screen
  }
  return {
    visible,
    async ask(question) {
      if (!visible) throw new KeybayError(consentRequired)
      return (await open()).ask(question)
    },
    busy(text) {
      if (!visible) return
      status = text
      // The operation goes on without its progress. Its first question reports that the code does not load.
      open().then(
        screen => status !== undefined && screen.busy(status),
        () => undefined,
      )
    },
    step: at => screen?.step(at),
    clear() {
      status = undefined
      screen?.clear()
    },
  }
}
