/** How a code reaches the user; the prompts are those of `@keybay/account`. Types only. */
import type { AuthenticationMethod } from '@keybay/kernel/spec'

export type CodeMethod = Extract<AuthenticationMethod, 'email' | 'phoneNumber'>
