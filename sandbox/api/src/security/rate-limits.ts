/** Rate limits and budgets of users, addresses, networks and environments. */
import { type ErrorSpec, tooManyRequests } from '@keybay/kernel/spec'
import type { Clock } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import { type Limit, type Spending, spend } from '@keybay/sandbox-service/windows'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { rateLimits } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, type ApiErrorCode } from '../http/errors.js'
import type { Hashes } from './hashes.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MIB = 1024 * 1024

/** "Network" is an IPv4 address or an IPv6 /64, "site" an IPv4 address or an IPv6 /48. */
const LIMITS = {
  // Protects a mailbox from floods. A site gets less than all strangers together, and a network where the owner of the
  // address signed in has a reserve, so that an attacker elsewhere cannot use up all codes.
  'code per address and network': { most: 5, window: 15 * MINUTE },
  'code per address, network and day': { most: 20, window: DAY },
  'code per address and site': { most: 10, window: 15 * MINUTE },
  'code per address, site and day': { most: 40, window: DAY },
  'code per address': { most: 15, window: 15 * MINUTE, reserve: 5 },
  'code per address and day': { most: 60, window: DAY, reserve: 20 },
  'code per network': { most: 100, window: 15 * MINUTE, reserve: 20 },
  'code per site': { most: 400, window: 15 * MINUTE, reserve: 80 },
  // An environment's settings replace `most`, for all clients together.
  'sms per country and day': { most: 0, window: DAY },
  'sms per environment and day': { most: 0, window: DAY },
  'sms cost per environment and day': { most: 0, window: DAY },
  'sign-in per network': { most: 300, window: 15 * MINUTE },
  'guesses per factor': { most: 15, window: 15 * MINUTE },
  'frame passkeys per user': { most: 10, window: 15 * MINUTE },
  'recovery per user': { most: 5, window: 60 * MINUTE },
  'custody reads per user': { most: 60, window: MINUTE },
  // Custody keeps each attempt, also a refused one.
  'custody creations per user': { most: 10, window: 15 * MINUTE },
  'custody approvals per user': { most: 30, window: MINUTE },
  'backups per user': { most: 60, window: 15 * MINUTE },
  'backup reads per user': { most: 120, window: 15 * MINUTE },
  'data exports per user': { most: 5, window: DAY },
  // Per kind, so that a flood of one kind hides no notice of another.
  'notices per address, kind and day': { most: 5, window: DAY },
  'last notice per address, kind and day': { most: 1, window: DAY },
  'transactions per user': { most: 60, window: MINUTE },
  // A sponsorship policy replaces `most`.
  'sponsored lamports per site and day': { most: 0, window: DAY },
  'logs per network': { most: 60, window: MINUTE },
  'log bytes per network and day': { most: 8 * MIB, window: DAY },
  'log bytes per site and day': { most: 32 * MIB, window: DAY },
  'log bytes per environment and day': { most: 256 * MIB, window: DAY },
} as const satisfies Readonly<Record<string, Limit>>
export type LimitName = keyof typeof LIMITS

/** The database counts in 32 bits. */
const MAX_COUNT = 1_000_000_000

/** Time for which the network of a sign-in counts as known for the address, longer than a session by default lasts. */
const KNOWN_FOR = 90 * DAY

interface Parts {
  readonly db: Database
  readonly query: Query
  readonly clock: Clock
  readonly hashes: Hashes
  readonly factor: number
}

export interface Expense {
  readonly name: LimitName
  /** Whose budget it is, within the environment. */
  readonly who: string
  /** Default 1. */
  readonly amount?: number
  /** Replaces the limit's own by what the environment allows to strangers, and adds for known clients. */
  readonly budget?: Pick<Limit, 'most' | 'reserve'>
}

type From = Pick<Call, 'environment' | 'network'>

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

  /** Counts a hit. @returns false, and counts nothing, where the budget is used up */
  async isWithin(name: LimitName, who: string): Promise<boolean> {
    return (await this.#take(this.#getHit(name, who))) === undefined
  }

  /**
   * Counts a hit of one user. User IDs are unique among all environments.
   * @throws ApiError `error`, by default `too_many_requests`, with the seconds to wait
   */
  async hit(name: LimitName, who: string, error: ErrorSpec<ApiErrorCode> = tooManyRequests): Promise<void> {
    const retryAfter = await this.#take(this.#getHit(name, who))
    if (retryAfter !== undefined) throw new ApiError(error, { retryAfter })
  }

  /**
   * Spends budgets of an environment, all or none of those that others share.
   * @param address address for which the network may be known
   * @throws ApiError `too_many_requests`, with the seconds to wait
   */
  async spend(from: From, expenses: readonly Expense[], address?: string): Promise<void> {
    const retryAfter = await this.#take(this.getSpending(from, expenses, address))
    if (retryAfter !== undefined) throw new ApiError(tooManyRequests, { retryAfter })
  }

  /** Returns what `spend` would spend, for a statement that spends it together with its own work. */
  getSpending(from: From, expenses: readonly Expense[], address?: string): Spending {
    const { hashes, clock } = this.#parts
    const budgets = expenses.map(({ name, who, amount = 1, budget }) => {
      const id = hashes.keyed('rate-limit', name, from.environment.id, who)
      const { most, window, reserve } = this.#scaled(name)
      return { id, amount, window, most: budget?.most ?? most, reserve: budget?.reserve ?? reserve }
    })
    return { budgets, mark: address === undefined ? undefined : this.getMark(from, address), now: clock.now() }
  }

  /** Remembers that the owner of the address signed in from this network. */
  async remember(from: From, address: string): Promise<void> {
    const resetsAt = this.getMarkEnd()
    await this.#parts.db
      .insert(rateLimits)
      .values({ id: this.getMark(from, address), resetsAt, count: 1 })
      .onConflictDoUpdate({ target: rateLimits.id, set: { resetsAt } })
  }

  /** Returns the ID of the row that `remember` writes, for a statement that writes it together with its own work. */
  getMark({ environment, network }: From, address: string): string {
    return this.#parts.hashes.keyed('known-network', environment.id, network, address)
  }

  /** Returns when a mark that is written now ends. */
  getMarkEnd(): number {
    return this.#parts.clock.now() + KNOWN_FOR
  }

  /** Returns a text that is the same for two requests if their network is. */
  getNetworkId({ environment, network }: From): string {
    return this.#parts.hashes.keyed('network', environment.id, network)
  }

  #scaled(name: LimitName): Required<Limit> {
    const { factor } = this.#parts
    const { most, window, reserve = 0 }: Limit = LIMITS[name]
    const scale = (count: number) => Math.min(Math.ceil(count * factor), MAX_COUNT)
    return { most: scale(most), window, reserve: scale(reserve) }
  }

  #getHit(name: LimitName, who: string): Spending {
    const { hashes, clock } = this.#parts
    return { budgets: [{ id: hashes.keyed('rate-limit', name, who), ...this.#scaled(name) }], now: clock.now() }
  }

  /** @returns the seconds to wait, or undefined once all budgets are spent */
  #take(spending: Spending): Promise<number | undefined> {
    return spend(this.#parts.query, spending)
  }
}
