/** Describes where a request came from: enough for the user to recognize the place, not an exact address. */
import { isIPv4 } from 'node:net'
import type { Call } from '../http/call.js'

export interface Place {
  /** Example: `Firefox on Linux` */
  readonly device: string
  /** Example: `203.0.113.0/24`, `2001:db8:1::/48` */
  readonly network: string
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** Uses fixed names only: the header is the caller's text, and a mail must not repeat it. */
function describeDevice(userAgent: string | undefined): string {
  const find = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(BROWSERS) ?? 'Unknown browser'
  const system = find(SYSTEMS)
  return system ? `${browser} on ${system}` : browser
}

/** @param network an IPv4 address, or an IPv6 /64 such as `2001:db8:1:2::/64` */
function describeNetwork(network: string): string {
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  const groups = network.split(':')
  return groups.length > 3 ? `${groups.slice(0, 3).join(':')}::/48` : 'Unknown network'
}

export function describePlace({ header, network }: Pick<Call, 'header' | 'network'>): Place {
  return { device: describeDevice(header('user-agent')), network: describeNetwork(network) }
}
