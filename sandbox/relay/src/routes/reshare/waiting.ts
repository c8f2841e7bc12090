/** Revokes a set that was dealt and not yet taken by its holder. */
import { anyPoint, codecs, decode, eraseShare, type KeyShare, onRevoke, type ShareSet } from '@keybay/waas/mpc'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { auditEntry, checkRow, type UserAuthority } from '../../authority/authorize.js'
import { insertSet } from '../../ceremonies/adopt.js'
import { allow, describeCeremony } from '../../ceremonies/decide.js'
import { signNext } from '../../ceremonies/history.js'
import { deliver } from '../../ceremonies/witness.js'
import { ceremonies } from '../../db/schema.js'
import type { Call } from '../../http/route.js'
import type { CeremonyRow } from '../../store/ceremonies.js'
import type { SetRow } from '../../store/sets.js'
import { reshareFacts } from './schema.js'

/**
 * Ends the ceremony and stores the set as revoked, so that its ID is used up and R2 gets the signed revocation.
 *
 * @param primary set whose key signs
 * @throws RelayError `set_not_found` when no such set waits; `ceremony_state` when its holder takes it at the same time
 */
export async function revokeWaiting(
  call: Call,
  authority: UserAuthority,
  primary: SetRow,
  setId: string,
): Promise<void> {
  const { services } = call
  const { device, nonce } = authority
  const waiting = await findCeremonies(call, primary.walletId, setId)
  const decision = allow(onRevoke({ set: undefined, ceremonies: waiting.map(describeCeremony) }))
  const ceremony = waiting.find(({ id }) => decision.action === 'revokeWaiting' && id === decision.ceremonyId)
  if (!ceremony) throw new Error('The decision names a ceremony of another set')
  const { name, policy, newScheme: scheme, address, kind, transcript } = v.parse(reshareFacts, ceremony.facts)
  const set = readSet(call, ceremony)
  const { environmentId, userId, deviceKey } = ceremony
  const facts = { environmentId, userId, address, kind, scheme, status: 'revoked' as const, set, transcript }
  const entry = auditEntry(call, authority, primary.epoch, 'revoked', { newSet: setId })
  await services.sets.change(
    primary,
    now => {
      checkRow(call, now, device)
      return { values: {}, entry }
    },
    nonce,
    async tx => {
      await services.ceremonies.advance(tx, ceremony, { step: 'ended' }, null)
      const made = { ...facts, share: undefined, name, deviceKey, policy }
      const record = await signNext(services, tx, made)
      await insertSet(services, tx, { ...made, record }, { ...entry, epoch: set.epoch })
      return {}
    },
  )
  await deliver(services, primary.walletId, call.requestId)
}

function findCeremonies({ services, environment }: Call, walletId: string, setId: string): Promise<CeremonyRow[]> {
  const isOwn = and(eq(ceremonies.environmentId, environment.id), eq(ceremonies.walletId, walletId))
  return services.db
    .select()
    .from(ceremonies)
    .where(and(isOwn, eq(ceremonies.setId, setId), eq(ceremonies.kind, 'reshare'), eq(ceremonies.step, 'dealt')))
}

function readSet({ services }: Call, ceremony: CeremonyRow): ShareSet {
  const share: KeyShare = decode(codecs.keyShare, services.ceremonies.state(ceremony), anyPoint)
  eraseShare(share)
  return share.set
}
