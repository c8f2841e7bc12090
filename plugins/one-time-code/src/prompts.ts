/** What is asked before a code can be sent; the code itself is `one-time-code` of `@keybay/account`. Types only. */
import type { KeybayError } from '@keybay/kernel'
import type { AuthenticationMethod } from '@keybay/kernel/spec'

/** How a code travels. */
export type CodeMethod = Extract<AuthenticationMethod, 'email' | 'phoneNumber'>

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    /** Where shall the code be sent? Asked when `connect` was called without an address. */
    contact: {
      readonly ask: {
        readonly method: CodeMethod
        /** What was wrong with the answer before; this is the question again. */
        readonly error?: KeybayError | undefined
      }
      /** As the user typed it. */
      readonly answer: string
    }
  }
}
