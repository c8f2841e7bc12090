import type { IncomingMessage } from 'node:http'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

const isLocalName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'

function hostnameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname
  } catch {
    return undefined
  }
}

/** The page's origin, when it is one of this machine. */
export function localOrigin({ headers }: IncomingMessage): string | undefined {
  const hostname = headers.origin && hostnameOf(headers.origin)
  return hostname && isLocalName(hostname) ? headers.origin : undefined
}

/**
 * Whether a request comes from this machine and from no foreign page: the connection is loopback, no proxy stands before
 * us, the Host is a local name (else a foreign name may have been pointed here, DNS rebinding), and so is the Origin.
 */
export function isLocalRequest(request: IncomingMessage): boolean {
  const { headers, socket } = request
  if (!LOOPBACK.has(socket.remoteAddress ?? '')) return false
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false
  const host = hostnameOf(`http://${headers.host ?? ''}`)
  if (host === undefined || !isLocalName(host)) return false
  return headers.origin === undefined || localOrigin(request) !== undefined
}
