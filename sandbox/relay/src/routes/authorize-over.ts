/** Authorises changes of a set by the device key of another set of the wallet. */
import { authorizeKey, authorizeSet, checkRow, type SetRequest, type UserAuthority } from '../authority/authorize.js'
import { namedSet } from '../authority/device.js'
import { type Operation, operationHash } from '../authority/session.js'
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
  /** Set whose key signs; undefined if this relay does not have it. */
  readonly signer: SetRow | undefined
  /** Kind of the set whose key signs. */
  readonly kind: SetRow['kind']
  /** What R2 needs to check the same request. */
  readonly forPeer: object
}

/**
 * Authorises a change: the key of the primary set may change every set, another key only its own.
 *
 * @returns also the row of the set; undefined for a set that this relay does not know
 */
export async function authorizeOver(
  call: Call,
  op: 'revokeSet' | 'setPolicy',
  { walletId, setId }: SetIds,
  ...facts: readonly string[]
): Promise<Omit<Over, 'kind'> & { readonly row: SetRow | undefined }> {
  const hash = operationHash(op, setId, ...facts)
  const named = { walletId, setId: namedSet(call) }
  const { authority, ...by } = call.fromPeer
    ? await authorizeForR1(call, call.fromPeer, named, { op, hash })
    : await authorizeNamed(call, { ...named, op, hash })
  await call.services.limits.hit('changes per wallet', walletId)
  if (by.kind !== 'primary' && named.setId !== setId) throw new RelayError('not_enabled')
  const row = await call.services.sets.find(call.environment.id, setId)
  return { authority, signer: by.signer, forPeer: by.forPeer, row: row?.walletId === walletId ? row : undefined }
}

async function authorizeNamed(call: Call, request: SetRequest): Promise<Over> {
  const authority = await authorizeSet(call, request)
  const { row } = authority
  checkRow(call, row, authority.device)
  const { kind, record, deviceKey, policy } = row
  return { authority, signer: row, kind, forPeer: { record, deviceKey, policy } }
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
  return { authority, signer: row, kind, forPeer: {} }
}
