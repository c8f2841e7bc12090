/** Detects names and requests of this machine. */
import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^127(?:\.\d{1,3}){3}$/
/** Headers that a proxy adds, regardless of how it changes the Host. */
const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded(?:-.+)?)$/
const COMMON_PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** Returns true for a host name (without port) that always means this machine. */
export function isLocalName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    LOOPBACK.test(hostname) ||
    hostname === '[::1]' ||
    hostname === '::1'
  )
}

function getHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** Returns true for a URL of this machine; false for an unreadable URL. */
export function isLocalUrl(url: string): boolean {
  return isLocalName(getHostname(url) ?? '')
}

/** RFC 1918, RFC 4193 and RFC 4291: addresses that the internet cannot reach. */
const PRIVATE_ADDRESS = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$|^\[f(?:[cd][\da-f]{2}|e80):/

function isPrivateHost(host: string): boolean {
  const hostname = getHostname(`http://${host}`) ?? ''
  return isLocalName(hostname) || PRIVATE_ADDRESS.test(hostname)
}

/**
 * Returns true if a stand-in may respond to a request: only under a name of this machine or an address of a private
 * network. A service that signs in any user, or shows everyone's email, must not run under a public name.
 */
export function isStandInRequest({ header }: Pick<RequestFacts, 'header'>): boolean {
  const forwarded = header('x-forwarded-host')
  return isPrivateHost(header('host') ?? '') && (forwarded === undefined || isPrivateHost(forwarded))
}

export interface RequestFacts {
  readonly remoteAddress: string | undefined
  /** Returns a header's value by its lower-case name. */
  header(name: string): string | undefined
  /** All headers of the request, in lower case. Default: the headers that proxies usually add. */
  readonly headerNames?: readonly string[]
}

/** Reads the facts that {@link isLocalRequest} needs from a request of Node's own server. */
export function factsOfRequest({ socket, headers }: IncomingMessage): RequestFacts {
  return {
    remoteAddress: socket.remoteAddress,
    header: name => [headers[name] ?? []].flat()[0],
    headerNames: Object.keys(headers),
  }
}

/**
 * Returns true if a request comes directly from this machine and from no foreign page: the connection is loopback, no
 * proxy added a header, the Host is a local name (else a foreign name may point here, DNS rebinding), and so is the
 * Origin.
 */
export function isLocalRequest({
  remoteAddress = '',
  header,
  headerNames = COMMON_PROXY_HEADERS,
}: RequestFacts): boolean {
  const peer = remoteAddress.replace(/^::ffff:/, '')
  if (peer !== '::1' && !LOOPBACK.test(peer)) return false
  if (headerNames.some(name => PROXY_HEADER.test(name) && header(name) !== undefined)) return false
  if (!isLocalUrl(`http://${header('host') ?? ''}`)) return false
  const origin = header('origin')
  return origin === undefined || isLocalUrl(origin)
}
