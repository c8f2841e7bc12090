/**
 * The hidden frame learns from the relay why the user has to agree; the visible one, which asks, has to know it, and not
 * from the page. Both are of one origin in one tab, so they share its `sessionStorage`. Nothing secret is in a reason.
 */
import { KeybayError } from '@keybay/kernel/spec'
import { consentRequired } from '@keybay/waas/protocol'
import { type Authority, inWords, readReason } from '@keybay/waas/relay-client'

type About = Pick<Authority, 'user' | 'operation' | 'hash'>

function keyOf({ user, operation, hash }: About): string {
  return `keybay-waas:reason:${user}:${operation}:${hash}`
}

/** Keeps the reason, if the error is that the user has to agree. */
export function keepReason(about: About, error: unknown): void {
  if (!(error instanceof KeybayError) || error.code !== consentRequired.code) return
  const reason = readReason(error.details)
  if (!reason) return
  try {
    sessionStorage.setItem(keyOf(about), JSON.stringify(reason))
  } catch {
    // Blocked or full: then the user is asked without it.
  }
}

/** The reason in words, once. */
export function takeReason(about: About): string | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(about))
    sessionStorage.removeItem(keyOf(about))
    const reason = text === null ? undefined : readReason(JSON.parse(text))
    return reason && inWords(reason)
  } catch {
    return undefined
  }
}
