/** Words for errors: what happened, and what to do. Code-specific advice is English; a host replaces it by `explainError`. */
import { isKeybayError } from '@keybay/kernel'
import { useUi } from '@keybay/react/ui'

/** Checks whether the user refused a request or a message (wallet error numbers 2 and 3), whatever the code. */
export function isRefusal(error: unknown): boolean {
  return isKeybayError(error) && (error.walletCode === 2 || error.walletCode === 3)
}

/** Returns a function that words an error in the way of the host. */
export function useExplain(): (error: unknown) => string {
  return useUi().explainError
}
