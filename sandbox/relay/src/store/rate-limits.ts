/** Rate limits for requests without a share set. */
import type { Clock } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import { spend } from '@keybay/sandbox-service/windows'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'

const MINUTE = 60_000

const LIMITS = {
  'reads per user': { most: 300, window: MINUTE },
  'creations per user': { most: 20, window: 60 * MINUTE },
  'dealings per wallet': { most: 30, window: 60 * MINUTE },
  'changes per wallet': { most: 60, window: 60 * MINUTE },
} as const

export type RateLimits = ReturnType<typeof createRateLimits>

export function createRateLimits(query: Query, clock: Clock, factor: number) {
  return {
    /** Counts a request. @throws RelayError `too_many_requests`, with the seconds to wait */
    async hit(name: keyof typeof LIMITS, who: string): Promise<void> {
      const { most, window } = LIMITS[name]
      const id = sha256(JSON.stringify([name, who]))
      const budget = { id, most: most * factor, window }
      const retryAfter = await spend(query, { budgets: [budget], now: clock.now() })
      if (retryAfter !== undefined) throw new RelayError('too_many_requests', { retryAfter })
    },
  }
}
