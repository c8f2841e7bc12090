import { isKeybayError } from '@keybay/kernel'

/** Checks whether the user refused a request or a message (wallet error numbers 2 and 3), whatever the code. */
export function isRefusal(error: unknown): boolean {
  return isKeybayError(error) && (error.walletCode === 2 || error.walletCode === 3)
}
