/** Limits each network in this process. */
import type { Clock } from '../clock.js'

/** Maximum number of networks to remember; the one that was seen longest ago is forgotten. */
const MAX_NETWORKS = 20_000

interface Bucket {
  readonly tokens: number
  /** ms since epoch */
  readonly at: number
}

export interface TokenBucketOptions {
  /** Number of tokens of a network that was not seen lately. */
  readonly burst: number
  readonly perSecond: number
  readonly clock: Clock
}

/** Token buckets by network. They are in memory, because they protect this process, not a shared resource. */
export class TokenBuckets {
  readonly #options: TokenBucketOptions
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: TokenBucketOptions) {
    this.#options = options
  }

  /** Takes tokens; returns false when too few are left, and then takes none. */
  take(network: string, tokens = 1): boolean {
    const left = this.#refill(network) - tokens
    if (left < 0) return false
    this.#keep(network, left)
    return true
  }

  giveBack(network: string, tokens = 1): void {
    this.#keep(network, Math.min(this.#options.burst, this.#refill(network) + tokens))
  }

  #refill(network: string): number {
    const { burst, perSecond, clock } = this.#options
    const bucket = this.#buckets.get(network)
    return bucket ? Math.min(burst, bucket.tokens + (Math.max(0, clock.now() - bucket.at) / 1000) * perSecond) : burst
  }

  #keep(network: string, tokens: number): void {
    this.#buckets.delete(network)
    if (this.#buckets.size >= MAX_NETWORKS) this.#forgetOldest()
    this.#buckets.set(network, { tokens, at: this.#options.clock.now() })
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}
