/** What the answering side remembers of requests with an idempotency key, so that a repeat is answered and not done again. */
import type { Clock } from '@keybay/kernel'
import { canonicalText, withoutAuthority } from './canonical.js'
import { idempotencyKeyReused } from './errors.js'
import { fault } from './fault.js'

interface Remembered {
  /** Without its secrets, which are not to stay here. */
  readonly request: object
  readonly answer: Promise<unknown>
  /** ms since epoch */
  readonly at: number
}
export interface Memory {
  /**
   * The first one's answer, under way or done; else runs it. One that fails is forgotten, so that it can be tried again.
   *
   * @throws KeybayError `idempotency_key_reused`
   */
  once(type: string, key: string, payload: object, run: () => unknown): Promise<unknown>
}

function begin(run: () => unknown): Promise<unknown> {
  try {
    const answer = run()
    return answer instanceof Promise ? answer : Promise.resolve(answer)
  } catch (error) {
    return Promise.reject(error)
  }
}
const MOST = 200
const KEPT_MS = 120_000

export function createMemory(clock: Clock): Memory {
  const known = new Map<string, Remembered>()
  const forgetOld = () => {
    for (const [key, { at }] of known) {
      if (known.size < MOST && clock.now() - at < KEPT_MS) return
      known.delete(key)
    }
  }
  return {
    once(type, key, payload, run) {
      forgetOld()
      const name = `${type} ${key}`
      const request = withoutAuthority(payload)
      const before = known.get(name)
      if (before && canonicalText(before.request) !== canonicalText(request)) throw fault(idempotencyKeyReused)
      if (before) return before.answer
      const answer = begin(run)
      known.set(name, { request, answer, at: clock.now() })
      answer.catch(() => known.delete(name))
      return answer
    },
  }
}
