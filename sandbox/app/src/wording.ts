/** What went wrong, and what to do about it, in the words of this app. */
import { isKeybayError, userRejected } from '@keybay/kernel'

const advice: Readonly<Record<string, string>> = {
  wallet_locked: 'Unlock your wallet and try again.',
  connect_timeout: 'The wallet did not answer. Open it, look for a waiting request, and try again.',
  aborted: 'It was stopped before it was done.',
  rpc_unreachable: 'Check that the chain runs and try again.',
  insufficient_funds: 'Send less, or get more SOL first.',
  destination_needs_rent: 'An account that is new to the chain must receive at least 0.00089088 SOL.',
  transaction_timed_out: 'It may still arrive: look at it in the explorer before you send again.',
  sign_message_missing: 'Choose another wallet for this.',
}

/** The error's own message, and what to do where we know. */
export const explain = (error: unknown): string => {
  if (isKeybayError(error, userRejected))
    return 'You refused in your wallet, or closed its window. Try again when you are ready.'
  if (!isKeybayError(error)) return error instanceof Error ? error.message : String(error)
  const more = advice[error.code]
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`
  return more ? `${message} ${more}` : message
}
