/** Rate limits by user, address and network. */
import { type ErrorSpec, tooManyRequests } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import { countOne } from '@keybay/sandbox-service/windows'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { rateLimits } from '../db/schema.js'
import { ApiError, type ApiErrorCode } from '../http/errors.js'
import type { Hashes } from './hashes.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Maximum number of hits, and their window in ms. "Network" is an IPv4 address or an IPv6 /64. */
const LIMITS = {
  // Protects a mailbox from floods, and its owner from attackers elsewhere that would use up all codes.
  'code per address and network': { most: 5, window: 15 * MINUTE },
  'code per address, network and day': { most: 20, window: DAY },
  'code per address': { most: 15, window: 15 * MINUTE },
  'code per address and day': { most: 60, window: DAY },
  'code per network': { most: 100, window: 15 * MINUTE },
  'sign-in per network': { most: 300, window: 15 * MINUTE },
  'second factor per user': { most: 15, window: 15 * MINUTE },
  'frame passkeys per user': { most: 10, window: 15 * MINUTE },
  'recovery per user': { most: 5, window: 60 * MINUTE },
  'backups per user': { most: 60, window: 15 * MINUTE },
  'backup reads per user': { most: 120, window: 15 * MINUTE },
  'transactions per user': { most: 60, window: MINUTE },
  'logs per network': { most: 60, window: MINUTE },
} as const
export type LimitName = keyof typeof LIMITS

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly hashes: Hashes
  readonly factor: number
}

export class RateLimits {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes back a hit that was counted before the try was known to be right. */
  async forgive(name: LimitName, who: string): Promise<void> {
    const { db, hashes } = this.#parts
    await db
      .update(rateLimits)
      .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
      .where(eq(rateLimits.id, hashes.keyed('rate-limit', name, who)))
  }

  /** Counts a hit. @throws ApiError `error`, by default `too_many_requests`, with the seconds to wait */
  async hit(name: LimitName, who: string, error: ErrorSpec<ApiErrorCode> = tooManyRequests): Promise<void> {
    const { db, clock, hashes, factor } = this.#parts
    const { most, window } = LIMITS[name]
    const id = hashes.keyed('rate-limit', name, who)
    const seconds = await countOne(db, { id, most: most * factor, window, now: clock.now() })
    if (seconds !== undefined) throw new ApiError(error, { retryAfter: seconds })
  }
}
