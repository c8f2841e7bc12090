/** Source set of a resharing: R1 knows it from its rows, R2 from R1's record, since R2 may be new to the wallet. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { ShareSet } from '@keybay/waas/mpc'
import { and, eq, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { checkHeld, ownSet } from '../authority/authorize.js'
import { verifyToken } from '../authority/session.js'
import { getThumbprint, type PublicJwk, publicJwk } from '../crypto/jwk.js'
import { joins, type SetKind } from '../db/schema.js'
import { getDelegates } from '../environments.js'
import { RelayError } from '../http/errors.js'
import { exactBytes, toBytes, toText } from '../http/fields.js'
import { type Call, type FromPeer, parse } from '../http/route.js'
import { type Policy, policySchema } from '../policy/index.js'
import type { SetRow } from '../store/sets.js'
import { getPublicSet } from '../store/shares.js'
import { getRecordKeys } from './accept.js'
import { getKind, type ReshareRequest } from './plan.js'
import { readRecord } from './record.js'

export interface Source {
  readonly row: SetRow | undefined
  readonly from: ShareSet
  readonly kind: SetKind
  readonly address: string
  /** Scheme of the primary set. */
  readonly scheme: ThresholdSignatureScheme
  /** Policy of the set that deals. When the set is new to R2, it comes from R1, and the device has signed its hash. */
  readonly policy: Policy | null
  /** Device key of the set that deals. When the set is new to R2, it comes from R1, and the dealer of C has proved it. */
  readonly registeredKey: PublicJwk
  /** Device that requested the join, if another device deals for it. */
  readonly join: Joining | undefined
}
export interface Joining {
  /** ID of the join that stores the dealt share; absent for a delegate, which gets its share through the page. */
  readonly joinId?: string | undefined
  readonly name: string
  readonly deviceKey: PublicJwk
  readonly sealingKey: Uint8Array
}
type Asked = Pick<ReshareRequest, 'setId' | 'newSetId' | 'purpose'> & {
  readonly joinId?: string | undefined
  readonly sealingKey: Uint8Array
}

const joining = v.strictObject({
  joinId: v.optional(v.string()),
  name: v.string(),
  deviceKey: publicJwk,
  sealingKey: exactBytes(32),
})
const handedOn = v.object({
  record: v.string(),
  deviceKey: publicJwk,
  policy: v.nullable(policySchema),
  join: v.optional(joining),
})

export async function getSource(call: Call, walletId: string, request: Asked): Promise<Source> {
  const { services, fromPeer } = call
  if (!fromPeer) {
    const row = await ownSet(call, walletId, request.setId)
    checkHeld(row)
    const wallet = await services.wallets.get(walletId)
    if (!wallet) throw new RelayError('wallet_not_found')
    const { kind, address, deviceKey, policy } = row
    const join = getDelegate(call, request) ?? (await getJoin(call, walletId, request))
    return {
      row,
      from: getPublicSet(row),
      kind,
      address,
      scheme: wallet.scheme,
      policy,
      registeredKey: deviceKey,
      join,
    }
  }
  const { join, ...source } = await getHandedSet(call, fromPeer, { walletId, setId: request.setId })
  return { ...source, join: getDelegate(call, request) ?? join }
}

/**
 * Reads what R1 says of a set of the caller: R2 may not have it. The key and the policy are this relay's own, if it has
 * the set.
 *
 * @throws RelayError `wallet_not_found`
 */
export async function getHandedSet(
  call: Call,
  { extra }: FromPeer,
  { walletId, setId }: { readonly walletId: string; readonly setId: string },
) {
  const { services, environment } = call
  const { record, deviceKey, policy, join } = parse('peer', handedOn, extra)
  const { set, kind, address, scheme, ...facts } = readRecord(await getRecordKeys(services), record)
  const { userId } = await verifyToken(call)
  const isHere = facts.environmentId === environment.id && facts.userId === userId
  const isKey = facts.device === getThumbprint(deviceKey)
  if (!isHere || !isKey || set.walletId !== walletId || set.setId !== setId) throw new RelayError('wallet_not_found')
  const known = await services.sets.find(environment.id, setId)
  if (known) checkHeld(known)
  const row = known?.status === 'active' ? known : undefined
  return {
    row,
    from: set,
    kind,
    address,
    scheme,
    policy: row ? row.policy : policy,
    registeredKey: row?.deviceKey ?? deviceKey,
    join,
  }
}

/** Finds the delegate in this relay's own list, whatever the other relay says. @throws RelayError `not_enabled` */
function getDelegate({ environment }: Call, { purpose, sealingKey }: Asked): Joining | undefined {
  if (purpose !== 'delegate') return undefined
  const encodedKey = toText(sealingKey)
  const match = getDelegates(environment).find(delegate => toText(delegate.sealingKey) === encodedKey)
  if (!match) throw new RelayError('not_enabled')
  return match
}

async function getJoin(
  { services }: Call,
  walletId: string,
  { joinId, newSetId, purpose }: Asked,
): Promise<Joining | undefined> {
  if (joinId === undefined) return undefined
  const live = and(eq(joins.id, joinId), eq(joins.walletId, walletId), gt(joins.expiresAt, services.clock.now()))
  const [join] = await services.db.select().from(joins).where(live)
  if (!join || join.ceremonyId !== null) throw new RelayError('ceremony_not_found')
  if (join.setId !== newSetId || join.kind !== getKind(purpose, 'primary')) throw new RelayError('invalid_request')
  return { joinId, name: join.name, deviceKey: join.deviceKey, sealingKey: toBytes(join.sealingKey) }
}
