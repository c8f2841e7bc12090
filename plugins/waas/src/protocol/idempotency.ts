/** Remembers results by idempotency key, so that a repeated request gets the first result and is not run again. */
import { type Clock, KeybayError } from '@keybay/kernel/spec'
import { canonicalText, withoutAuthority } from './canonical.js'
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
