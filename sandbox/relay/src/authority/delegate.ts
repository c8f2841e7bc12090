/**
 * A registered delegate signs without the user: by its own key alone, with its own set alone, under the policy that the
 * person set. It has no token, cannot consent, and is asked for no second factor, since nobody is there.
 */

import { type PublicJwk, thumbprintOf } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import { RelayError, unauthorized } from '../http/errors.js'
import { delegatesOf } from '../store/delegates.js'
import type { SetRow } from '../store/sets.js'
import { type Authority, nonceOf } from './authorize.js'
import { verifyDevice } from './device.js'
import type { Operation } from './session.js'

/** Nobody is signed in. */
export function isWithoutPerson({ header }: Pick<Call, 'header'>): boolean {
  return header('authorization') === undefined
}

/** Whether the operator still lists this key. */
function isRegistered({ environment }: Call, key: PublicJwk): boolean {
  const thumbprint = thumbprintOf(key)
  return delegatesOf(environment).some(({ deviceKey }) => thumbprintOf(deviceKey) === thumbprint)
}

interface Delegation {
  readonly walletId: string
  readonly setId: string
  readonly userId: string
  readonly deviceKey: PublicJwk
}

/** @throws RelayError `unauthorized` for what is no delegate's (as for any request without a token), `invalid_device_signature` */
export function authorizeDelegate(
  call: Call,
  { deviceKey, userId, walletId, setId }: Delegation,
  operation: Operation,
  signers: readonly string[] = [],
): Authority {
  if (!isRegistered(call, deviceKey)) throw new RelayError(unauthorized)
  const wanted = { userId, op: operation.op, hash: operation.hash, walletId, setId, signers }
  const device = { ...verifyDevice(call, deviceKey, wanted), consent: false }
  const session = { userId, sessionId: 'delegate', jti: device.nonce }
  return { session, device, operation, nonce: nonceOf(call, device) }
}

/** A delegate's set, which nobody else's request without a token reaches. @throws RelayError `unauthorized` */
export function delegateSet(row: SetRow | undefined, walletId: string): SetRow {
  if (row?.kind !== 'delegate' || row.walletId !== walletId) throw new RelayError(unauthorized)
  return row
}
