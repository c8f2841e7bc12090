/** Texts for a failed attempt: what happened, and what to do. */
import type { Attempt, Connector, KeybayError } from '@keybay/kernel'

const ADVICE: Readonly<Record<string, (name: string) => string>> = {
  user_rejected: name => `You declined in ${name}. Choose it again to retry.`,
  aborted: () => 'Cancelled. Choose again when you are ready.',
  connect_timeout: name => `${name} didn’t respond. Open it, check for a pending request, then choose it again.`,
  wallet_locked: name => `${name} is locked. Unlock it, then choose it again.`,
  account_not_found: name => `${name} shared no account. Allow one for this app in ${name}, then choose it again.`,
  connector_not_ready: name => `${name} isn’t available yet. Install or enable it, then reload this page.`,
  connector_unknown: name => `${name} is no longer available. Enable it in your browser, then reload this page.`,
}
/** @param name of the wallet or login */
export function advice({ code, message }: KeybayError, name: string): string {
  return ADVICE[code]?.(name) ?? `${name} reported an error: ${message}. Choose it again, or choose another one.`
}

export function waiting(attempt: Attempt | undefined, { kind, name }: Connector): string | undefined {
  if (attempt?.status === 'redirecting') return `Opening ${name}…`
  if (attempt?.status === 'connecting') return kind === 'wallet' ? `Confirm in ${name}…` : `Waiting for ${name}…`
  return undefined
}
