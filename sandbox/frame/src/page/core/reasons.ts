/**
 * Passes the relay's reason for a consent from the hidden frame to the visible one, which must not take it from the
 * page. Both frames have one origin in one tab, so they share `sessionStorage`. A reason contains no secret.
 */
import { KeybayError } from '@keybay/kernel/spec'
import { consentRequired } from '@keybay/waas/protocol'
import { type Authority, inWords, readReason } from '@keybay/waas/relay-client'

type About = Pick<Authority, 'user' | 'operation' | 'hash'>

function getKey({ user, operation, hash }: About): string {
  return `keybay-waas:reason:${user}:${operation}:${hash}`
}

export function keepReason(about: About, error: unknown): void {
  if (!(error instanceof KeybayError) || error.code !== consentRequired.code) return
  const reason = readReason(error.details)
  if (!reason) return
  try {
    sessionStorage.setItem(getKey(about), JSON.stringify(reason))
  } catch {
    // Storage is blocked or full: the user is asked without the reason.
  }
}

export function takeReason(about: About): string | undefined {
  try {
    const text = sessionStorage.getItem(getKey(about))
    sessionStorage.removeItem(getKey(about))
    const reason = text === null ? undefined : readReason(JSON.parse(text))
    return reason && inWords(reason)
  } catch {
    return undefined
  }
}
