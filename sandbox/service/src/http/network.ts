/** Tells clients apart by the network that they send from. */
import { isIPv4 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { Log } from '../log.js'

type Address = ReturnType<typeof ipaddr.parse>

/** Reads every spelling of an address, also with a port, as some proxies write it; undefined for any other text. */
function readAddress(text: string): Address | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
  const [address = ''] = bare.split('%')
  const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address)
  return isAddress ? ipaddr.process(address) : undefined
}

/** Returns the unit that rate limits count: one customer of a provider has an IPv4 address, or a whole IPv6 /64. */
function toNetwork(text: string | undefined): string | undefined {
  if (text === undefined || isIPv4(text)) return text
  const address = readAddress(text)
  return address?.kind() === 'ipv6' ? widen(address.toString(), 64) : address?.toString()
}

/** Uses the address that the farthest trusted proxy saw, unless the header is too short or has no address there. */
export function getNetwork(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const forwarded = trustedProxies > 0 ? forwardedFor?.split(',').at(-trustedProxies)?.trim() : undefined
  return toNetwork(forwarded) ?? toNetwork(remote) ?? 'unknown'
}

function widen(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

/** Returns the IPv6 /48 of a network, which one customer can rent as a whole; an IPv4 address stands for itself. */
export function getSite(network: string): string {
  return network.endsWith('/64') ? widen(network.slice(0, -'/64'.length), 48) : network
}

export interface NetworkOptions {
  /** Number of proxies in front that add to X-Forwarded-For; with 0 the header is ignored. */
  readonly trustedProxies: number
  readonly log: Log
}

/** Returns a function that reads a request's network. It warns once when it ignores a proxy's header. */
export function networkReader({ trustedProxies, log }: NetworkOptions): (c: Context) => string {
  let isWarned = trustedProxies > 0
  return c => {
    const forwardedFor = c.req.header('x-forwarded-for')
    if (!isWarned && forwardedFor !== undefined) {
      isWarned = true
      log({
        level: 'warn',
        message: 'X-Forwarded-For ignored: set the number of trusted proxies, or all users share one limit',
      })
    }
    return getNetwork(getConnInfo(c).remote.address, forwardedFor, trustedProxies)
  }
}
