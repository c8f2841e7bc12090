/** Canonical texts of requests: two requests with the same text are the same request. */
import { toBase64Url } from '@keybay/kernel/spec'

/** Fields that authorise a request or open a share. They do not describe the request and must not stay in memory. */
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
/** Returns JSON with sorted keys and without secrets. */
export function canonicalText(payload: object): string {
  return JSON.stringify(payload, plain)
}

/** Copies the fields that describe the request. Nested values become text at once, because they may hold secrets. */
export function withoutAuthority(payload: object): object {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    if (AUTHORITY.has(name)) continue
    const nested = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    copy[name] = nested ? canonicalText(value) : value
  }
  return copy
}
