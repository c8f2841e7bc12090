/**
 * Delegates: registered servers that sign without the user, each with only its own key and set, under the policy
 * that the user set. A delegate has no token, cannot consent and needs no second factor, since no user is present.
 */

import { getThumbprint, type PublicJwk } from '../crypto/jwk.js'
import { getDelegates } from '../environments.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import type { SetRow } from '../store/sets.js'
import { type Authority, getNonce } from './authorize.js'
import { verifyDevice } from './device.js'
import type { Operation } from './session.js'

/** Returns true for a request without an access token. */
export function isWithoutUser({ header }: Pick<Call, 'header'>): boolean {
  return header('authorization') === undefined
}

/** Returns true while the operator lists this key. */
function isRegistered({ environment }: Call, key: PublicJwk): boolean {
  const thumbprint = getThumbprint(key)
  return getDelegates(environment).some(({ deviceKey }) => getThumbprint(deviceKey) === thumbprint)
}

interface Delegation {
  readonly walletId: string
  readonly setId: string
  readonly userId: string
  readonly deviceKey: PublicJwk
}

/**
 * @throws RelayError `'unauthorized'` (as for any request without a token) unless the set is a delegate's,
 * `invalid_device_signature`
 */
export function authorizeDelegate(
  call: Call,
  { deviceKey, userId, walletId, setId }: Delegation,
  operation: Operation,
  signers: readonly string[] = [],
): Authority {
  if (!isRegistered(call, deviceKey)) throw new RelayError('unauthorized')
  const expected = { userId, op: operation.op, hash: operation.hash, walletId, setId, signers }
  const device = { ...verifyDevice(call, deviceKey, expected), consent: false }
  const session = { userId, sessionId: 'delegate', jti: device.nonce }
  return { session, device, operation, nonce: getNonce(call, device) }
}

/**
 * Returns a delegate's set, the only kind within reach of a
 * request without a token. @throws RelayError `'unauthorized'`
 */
export function delegateSet(row: SetRow | undefined, walletId: string): SetRow {
  if (row?.kind !== 'delegate' || row.walletId !== walletId) throw new RelayError('unauthorized')
  return row
}
