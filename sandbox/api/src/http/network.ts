import { isIPv6 } from 'node:net'

/** Returns the client's address: the connection's, or the one that the last trusted proxy saw. */
function clientAddress(remote: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === undefined) return remote ?? ''
  const hops = forwardedFor.split(',').map(hop => hop.trim())
  return hops.at(-trustedProxies) ?? hops[0] ?? ''
}

/** Returns all eight groups of an IPv6 address. */
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
