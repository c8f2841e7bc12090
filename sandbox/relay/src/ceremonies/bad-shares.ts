/** Wrong shares, dealings and proofs count against the device key that sent them; too many lock only that key. */

import { type Authority, auditEntry } from '../authority/authorize.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import type { SetRow } from '../store/sets.js'
import type { CeremonyFault } from './messages.js'

/** Number of bad shares that locks the key. */
const MAX_BAD_SHARES = 5

function getDetails({ code, blamed }: CeremonyFault) {
  return { reason: code, ...(blamed && { party: blamed }) }
}

/** Counts a bad share against a registered key and uses up the device signature. Returns the error to send. */
export async function countBadShare(
  call: Call,
  authority: Authority,
  row: SetRow,
  fault: CeremonyFault,
): Promise<RelayError> {
  const { services } = call
  const now = services.clock.now()
  const next = await services.sets.change(
    row,
    ({ failures, lockedAt, epoch }: SetRow) => ({
      values: { failures: failures + 1, lockedAt: failures + 1 >= MAX_BAD_SHARES ? (lockedAt ?? now) : lockedAt },
      entry: auditEntry(call, authority, epoch, 'bad-share', { reason: fault.code }),
    }),
    authority.nonce,
  )
  return new RelayError('bad_share', { ...getDetails(fault), left: Math.max(0, MAX_BAD_SHARES - next.failures) })
}

/**
 * Returns the error of a bad restore. No count: no key is registered that could be locked, a wrong share of 252 bits is
 * never guessed, and a limit per wallet would let a thief of the session lock its user out.
 */
export function badRestore(fault: CeremonyFault): RelayError {
  return new RelayError('bad_share', getDetails(fault))
}
