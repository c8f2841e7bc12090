/**
 * Admits requests: what costs an attacker nothing is refused by its headers, and then by a hash of its bytes. A body is
 * parsed only when its token is verified, or when it is short and comes from a delegate.
 */
import { isWithoutUser } from '../authority/delegate.js'
import { refuseOtherBytes } from '../authority/device.js'
import { hasVerifiedToken, verifyToken } from '../authority/session.js'
import { RelayError } from '../http/errors.js'
import { BODY_BYTES, type Call, type Head, type Route } from '../http/route.js'

export interface Incoming {
  readonly head: Head
  /** Network that the request comes from. */
  readonly network: string
  /** Reads the body, at most `most` bytes. */
  readonly read: (most: number) => Promise<string>
}

/**
 * Returns the call with the body that it may parse.
 *
 * @throws RelayError `too_many_requests`, `unauthorized`, `session_expired`, `invalid_device_signature`,
 *   `payload_too_large`
 */
export async function admit({ head, network, read }: Incoming, { access, delegates, bodyLimit }: Route): Promise<Call> {
  // A session that was verified before goes on when others at its address, or behind its proxy, use up the limit.
  if (!head.services.admissions.take(network) && !hasVerifiedToken(head))
    throw new RelayError('too_many_requests', { retryAfter: 1 })
  if (access === 'public') return { ...head, rawBody: await read(0) }
  if (isWithoutUser(head)) {
    if (!delegates || head.header('x-keybay-device') === undefined) throw new RelayError('unauthorized')
    return withBody(head, await read(BODY_BYTES))
  }
  await verifyToken(head)
  const rawBody = await read(bodyLimit)
  return access === 'session' ? { ...head, rawBody } : withBody(head, rawBody)
}

function withBody(head: Head, rawBody: string): Call {
  const call = { ...head, rawBody }
  if (call.header('x-keybay-device') !== undefined) refuseOtherBytes(call)
  return call
}
