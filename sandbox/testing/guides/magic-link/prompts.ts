/** The question that this plugin asks, as a type of prompt. */
import type { KeybayError } from '@keybay/kernel'

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    'magic-link': {
      readonly ask: {
        /** The error of the previous answer. */
        readonly error?: KeybayError | undefined
      }
      /** The email address, as the user typed it. */
      readonly answer: string
    }
  }
}
