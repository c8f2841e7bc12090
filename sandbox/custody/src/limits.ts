/** Rate limits: of each network before its stamp is checked, and of each organization after. */
import { createHash } from 'node:crypto'
import type { Clock } from '@keybay/sandbox-service'
import type { Query } from '@keybay/sandbox-service/database'
import { TokenBuckets } from '@keybay/sandbox-service/http'
import { spend } from '@keybay/sandbox-service/windows'
import { CustodyError, tooMany } from './http/errors.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Limits of one organization. A user's own is one organization; the operator's has none. */
const LIMITS = {
  queries: { most: 600, window: MINUTE },
  activities: { most: 300, window: MINUTE },
  'activities per day': { most: 20_000, window: DAY },
  signatures: { most: 1_000, window: MINUTE },
  /** Steps of derivation paths; one takes about 1 ms of a thread. */
  steps: { most: 1_000, window: 15 * MINUTE },
  /** Wallets, accounts, keys, users, passkeys and policies, which stay in the database. */
  rows: { most: 1_000, window: DAY },
} as const

/** Amounts that an activity takes from its organization's budgets. */
export type Cost = { readonly [Name in 'signatures' | 'steps' | 'rows']?: number }

/** Requests that a network may send at once, and then each second. A body counts as one more for each 4 KiB. */
const BURST = 1_000
const PER_SECOND = 50
const BYTES_PER_TOKEN = 4096

/** A request that its network has paid for. */
export interface Admission {
  readonly network: string
  readonly tokens: number
}

interface LimitParts {
  readonly query: Query
  readonly clock: Clock
  readonly factor: number
  readonly operatorId: string
}

export class Limits {
  readonly #parts: LimitParts
  readonly #networks: TokenBuckets

  constructor(parts: LimitParts) {
    this.#parts = parts
    const { factor, clock } = parts
    this.#networks = new TokenBuckets({ burst: BURST * factor, perSecond: PER_SECOND * factor, clock })
  }

  /** @throws CustodyError `RATE_LIMITED` */
  admit(network: string, rawBody: string): Admission {
    const tokens = 1 + Math.floor(Buffer.byteLength(rawBody) / BYTES_PER_TOKEN)
    if (!this.#networks.take(network, tokens)) throw new CustodyError(tooMany, { retryAfter: 1 })
    return { network, tokens }
  }

  /**
   * Counts a request whose stamp is right. The operator's service sends those of all users from one network, so its
   * requests cost nothing.
   * @param organizationId organization of the credential
   * @param cost beside being a request, in the same statement
   * @throws CustodyError `RATE_LIMITED`
   */
  async count(
    organizationId: string,
    what: 'query' | 'activity',
    { network, tokens }: Admission,
    cost: Cost = {},
  ): Promise<void> {
    const counted = what === 'query' ? { queries: 1 } : { activities: 1, 'activities per day': 1 }
    if (organizationId === this.#parts.operatorId) this.#networks.giveBack(network, tokens)
    else await this.#spend(organizationId, { ...counted, ...cost })
  }

  /** Returns true for the first message with this text, and false for a copy. Instances share the record. */
  async isFirst(message: string, window: number): Promise<boolean> {
    const { query, clock } = this.#parts
    const id = `message ${createHash('sha256').update(message).digest('base64url')}`
    return (await spend(query, { budgets: [{ id, most: 1, window }], now: clock.now() })) === undefined
  }

  async #spend(organizationId: string, amounts: { readonly [Name in keyof typeof LIMITS]?: number }): Promise<void> {
    const { query, clock, factor } = this.#parts
    const budgets = Object.entries(LIMITS).flatMap(([name, { most, window }]) => {
      const amount = Object.entries(amounts).find(([key]) => key === name)?.[1] ?? 0
      return amount > 0 ? [{ id: `${name} ${organizationId}`, amount, most: Math.ceil(most * factor), window }] : []
    })
    const retryAfter = await spend(query, { budgets, now: clock.now() })
    if (retryAfter !== undefined) throw new CustodyError(tooMany, { retryAfter })
  }
}
