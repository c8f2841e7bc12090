/** Two requests are the same one when their canonical texts are. */
import { toBase64Url } from '@keybay/kernel/spec'

/** Who asks, and what opens a share: no part of what is asked, and not to be kept. */
const AUTHORITY = new Set([
  'signedSessionId',
  'authToken',
  'mfaToken',
  'signedMfa',
  'password',
  'existingPassword',
  'newPassword',
  'privateKey',
  'idempotencyKey',
])

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Uint8Array) return { bytes: toBase64Url(value) }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([name]) => !AUTHORITY.has(name))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
/** JSON with its keys in order and without what is secret. */
export function canonicalText(payload: object): string {
  return JSON.stringify(payload, plain)
}

/** A copy of the fields that say what is asked. What is nested becomes text at once, since there may be a secret in it. */
export function withoutAuthority(payload: object): object {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    if (AUTHORITY.has(name)) continue
    const nested = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    copy[name] = nested ? canonicalText(value) : value
  }
  return copy
}
