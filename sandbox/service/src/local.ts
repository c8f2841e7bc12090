const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Whether a host name (without port) always means this machine. */
export const isLocalName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'

const hostnameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

export interface RequestFacts {
  /** Of the connection. */
  readonly remoteAddress: string | undefined
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined
}

/**
 * Whether a request comes from this machine and from no foreign page: the connection is loopback, no proxy stands before
 * us, the Host is a local name (else a foreign name may have been pointed here, DNS rebinding), and so is the Origin.
 */
export const isLocalRequest = ({ remoteAddress, header }: RequestFacts): boolean => {
  if (!LOOPBACK.has(remoteAddress ?? '')) return false
  if (header('x-forwarded-for') !== undefined || header('forwarded') !== undefined) return false
  const host = hostnameOf(`http://${header('host') ?? ''}`)
  if (host === undefined || !isLocalName(host)) return false
  const origin = header('origin')
  return origin === undefined || isLocalName(hostnameOf(origin) ?? '')
}
