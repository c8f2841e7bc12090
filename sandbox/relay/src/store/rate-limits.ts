/** Rate limits for requests without a share set. */
import type { Clock } from '@keybay/sandbox-service'
import { countOne } from '@keybay/sandbox-service/windows'
import { sha256 } from '../crypto/jwk.js'
import type { Database } from '../db/open.js'
import { RelayError } from '../http/errors.js'

const MINUTE = 60_000

const LIMITS = {
  'reads per user': { most: 300, window: MINUTE },
  'creations per user': { most: 20, window: 60 * MINUTE },
  'dealings per wallet': { most: 30, window: 60 * MINUTE },
  'changes per wallet': { most: 60, window: 60 * MINUTE },
} as const

export type RateLimits = ReturnType<typeof createRateLimits>

export function createRateLimits(db: Database, clock: Clock, factor: number) {
  return {
    /** Counts a request. @throws RelayError `too_many_requests`, with the seconds to wait */
    async hit(name: keyof typeof LIMITS, who: string): Promise<void> {
      const { most, window } = LIMITS[name]
      const id = sha256(JSON.stringify([name, who]))
      const retryAfter = await countOne(db, { id, most: most * factor, window, now: clock.now() })
      if (retryAfter !== undefined) throw new RelayError('too_many_requests', { retryAfter })
    },
  }
}
