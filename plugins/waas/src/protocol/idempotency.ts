/** Remembers results by idempotency key, so that a repeated request gets the first result and is not run again. */
import { type Clock, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { idempotencyKeyReused } from './errors.js'

interface KeyedResult {
  /** Without its secrets, which must not stay in memory. */
  readonly request: object
  readonly result: Promise<unknown>
  /** ms since epoch */
  readonly startedAt: number
}
export interface Idempotency {
  /** Returns the first result of this key, or runs the request. Forgets failures. @throws `idempotency_key_reused` */
  once(type: string, key: string, payload: object, run: () => unknown): Promise<unknown>
}

const MAX_RESULTS = 200
const RESULT_LIFETIME_MS = 120_000

export function createIdempotency(clock: Clock): Idempotency {
  const results = new Map<string, KeyedResult>()
  const removeOld = () => {
    for (const [name, { startedAt }] of results) {
      if (results.size < MAX_RESULTS && clock.now() - startedAt < RESULT_LIFETIME_MS) return
      results.delete(name)
    }
  }
  return {
    once(type, key, payload, run) {
      removeOld()
      const name = `${type} ${key}`
      const request = withoutAuthority(payload)
      const previous = results.get(name)
      if (previous && canonicalText(previous.request) !== canonicalText(request))
        throw new KeybayError(idempotencyKeyReused)
      if (previous) return previous.result
      const result = new Promise(resolve => resolve(run()))
      results.set(name, { request, result, startedAt: clock.now() })
      result.catch(() => results.delete(name))
      return result
    },
  }
}

/** Fields that authorise a request, open a share or name its trace. They do not describe the request and must not stay in memory. */
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
  'traceparent',
])

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Uint8Array) return { bytes: toBase64Url(value) }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([name]) => !AUTHORITY.has(name))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
/** Returns JSON with sorted keys and without secrets. */
function canonicalText(payload: object): string {
  return JSON.stringify(payload, plain)
}

/** Copies the fields that describe the request. Nested values become text at once, because they may hold secrets. */
function withoutAuthority(payload: object): object {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    if (AUTHORITY.has(name)) continue
    const nested = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    copy[name] = nested ? canonicalText(value) : value
  }
  return copy
}
