/** Authorises changes of a set by the device key of another set of the wallet. */
import { authorizeKey, authorizeSet, checkRow, type SetRequest, type UserAuthority } from '../authority/authorize.js'
import { namedSet } from '../authority/device.js'
import type { Operation } from '../authority/session.js'
import { getHandedSet } from '../ceremonies/source.js'
import { RelayError } from '../http/errors.js'
import type { Call, FromPeer } from '../http/route.js'
import type { SetRow } from '../store/sets.js'

interface SetIds {
  readonly walletId: string
  readonly setId: string
}
interface Over {
  readonly authority: UserAuthority
  /** Set whose key signs; undefined at R2 if it has only the other set. */
  readonly by: SetRow | undefined
  /** Kind of the set whose key signs. */
  readonly kind: SetRow['kind']
  /** Facts that R2 needs to check the same request. */
  readonly forPeer: object
}

/**
 * Authorises a change: the key of the primary set may change every set, another key only its own.
 *
 * @returns also the row of the set; undefined for a set that this relay does not know
 */
export async function authorizeOver(
  call: Call,
  operation: Pick<Operation, 'op' | 'hash'>,
  { walletId, setId }: SetIds,
): Promise<Omit<Over, 'kind'> & { readonly row: SetRow | undefined }> {
  const named = { walletId, setId: namedSet(call) }
  const { kind, ...over } = call.fromPeer
    ? await authorizeForR1(call, call.fromPeer, named, operation)
    : await authorizeNamed(call, { ...named, ...operation })
  await call.services.limits.hit('changes per wallet', walletId)
  if (kind !== 'primary' && named.setId !== setId) throw new RelayError('not_enabled')
  const row = await call.services.sets.find(call.environment.id, setId)
  return { ...over, row: row?.walletId === walletId ? row : undefined }
}

async function authorizeNamed(call: Call, request: SetRequest): Promise<Over> {
  const authority = await authorizeSet(call, request)
  const { row } = authority
  checkRow(call, row, authority.device)
  const { kind, record, deviceKey, policy } = row
  return { authority, by: row, kind, forPeer: { record, deviceKey, policy } }
}

/** Authorises at R2, which may have a delegate's set and not the primary set: R1 then vouches for its device key. */
async function authorizeForR1(
  call: Call,
  fromPeer: FromPeer,
  named: SetIds,
  operation: Pick<Operation, 'op' | 'hash'>,
): Promise<Over> {
  const { row, from, kind, address, registeredKey } = await getHandedSet(call, fromPeer, named)
  const authority = await authorizeKey(call, registeredKey, { ...operation, address }, named)
  if (row) checkRow(call, row, authority.device)
  else if (from.epoch !== authority.device.epoch) throw new RelayError('epoch_mismatch', { epoch: from.epoch })
  return { authority, by: row, kind, forPeer: {} }
}
