/** Tells clients apart by their network, and limits each network in this process. */
import { isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { Clock } from '../clock.js'

/** Returns the client's address: the connection's, or the one that the last trusted proxy saw. */
function clientAddress(remote: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === undefined) return remote ?? ''
  const hops = forwardedFor.split(',').map(hop => hop.trim())
  return hops.at(-trustedProxies) ?? hops[0] ?? ''
}

function getGroups(address: string): string[] {
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
}

/** Returns the unit that rate limits count: one customer of a provider has an IPv4 address, or a whole IPv6 /64. */
export function getNetwork(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const address = clientAddress(remote, forwardedFor, trustedProxies).replace(/^::ffff:(?=\d+\.)/, '')
  return isIPv6(address) ? `${getGroups(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * Returns the network of a request.
 * @param trustedProxies number of proxies in front that add to X-Forwarded-For; with 0 the header is ignored
 */
export function networkOf(c: Context, trustedProxies: number): string {
  return getNetwork(getConnInfo(c).remote.address, c.req.header('x-forwarded-for'), trustedProxies)
}

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

  /** Takes a token; returns false when none is left. */
  take(network: string): boolean {
    const left = this.#refill(network) - 1
    if (left < 0) return false
    this.#keep(network, left)
    return true
  }

  giveBack(network: string): void {
    this.#keep(network, Math.min(this.#options.burst, this.#refill(network) + 1))
  }

  #refill(network: string): number {
    const { burst, perSecond, clock } = this.#options
    const bucket = this.#buckets.get(network)
    return bucket ? Math.min(burst, bucket.tokens + (Math.max(0, clock.now() - bucket.at) / 1000) * perSecond) : burst
  }

  #keep(network: string, tokens: number): void {
    this.#buckets.delete(network)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size >= MAX_NETWORKS && oldest !== undefined) this.#buckets.delete(oldest)
    this.#buckets.set(network, { tokens, at: this.#options.clock.now() })
  }
}
