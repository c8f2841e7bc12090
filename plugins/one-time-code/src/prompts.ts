/** The prompt for an address; the prompt for the code is `one-time-code` of `@keybay/account`. Types only. */
import type { KeybayError } from '@keybay/kernel'
import type { AuthenticationMethod } from '@keybay/kernel/spec'

export type CodeMethod = Extract<AuthenticationMethod, 'email' | 'phoneNumber'>

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    /** Asks for the address when `connect` was called without one. */
    contact: {
      readonly ask: {
        readonly method: CodeMethod
        /** The error of the previous answer, when the prompt repeats. */
        readonly error?: KeybayError | undefined
      }
      /** As the user typed it. */
      readonly answer: string
    }
  }
}
