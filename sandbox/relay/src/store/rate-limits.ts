/** Limits on what has no share set yet, shared by all instances: fixed windows, one statement each. */
import type { Clock } from '@keybay/sandbox-service'
import { sql } from 'drizzle-orm'
import { sha256 } from '../authority/keys.js'
import type { Database } from '../db/open.js'
import { rateLimits } from '../db/schema.js'
import { RelayError, tooManyRequests } from '../http/errors.js'

const MINUTE = 60_000

const LIMITS = {
  'reads per user': { most: 300, window: MINUTE },
  'creations per user': { most: 20, window: 60 * MINUTE },
  'dealings per wallet': { most: 30, window: 60 * MINUTE },
  'changes per wallet': { most: 60, window: 60 * MINUTE },
  'bad restores per wallet': { most: 5, window: 60 * MINUTE },
} as const
export type LimitName = keyof typeof LIMITS

export interface RateLimits {
  /** Counts one. @throws RelayError `too_many_requests`, with the seconds to wait */
  hit(name: LimitName, who: string): Promise<void>
}

export const createRateLimits = (db: Database, clock: Clock, factor: number): RateLimits => ({
  async hit(name, who) {
    const { most, window } = LIMITS[name]
    const now = clock.now()
    const [row] = await db
      .insert(rateLimits)
      .values({ id: sha256(JSON.stringify([name, who])), count: 1, resetsAt: now + window })
      .onConflictDoUpdate({
        target: rateLimits.id,
        set: {
          count: sql`case when ${rateLimits.resetsAt} <= ${now} then 1 else ${rateLimits.count} + 1 end`,
          resetsAt: sql`case when ${rateLimits.resetsAt} <= ${now} then excluded.resets_at else ${rateLimits.resetsAt} end`,
        },
      })
      .returning()
    if (!row || row.count <= most * factor) return
    throw new RelayError(tooManyRequests, { retryAfter: Math.max(1, Math.ceil((row.resetsAt - now) / 1000)) })
  },
})
