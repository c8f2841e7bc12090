/** Processes R1's record: R2 moves to the record's epoch; a relay that finds itself behind freezes the wallet. */
import {
  adoptedPolicy,
  anyPoint,
  codecs,
  decode,
  type EnforcedPolicy,
  encode,
  eraseShare,
  type KeyShare,
  onRecord,
  type RelayCeremony,
  recordedPolicy,
} from '@keybay/waas/mpc'
import { and, eq, inArray } from 'drizzle-orm'
import type { PublicJwk } from '../crypto/jwk.js'
import { ceremonies, shareSets, wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { toBytes, toText } from '../http/fields.js'
import { isWithin, type Policy, SIGNS_NOTHING } from '../policy/index.js'
import type { Services } from '../services.js'
import type { AuditEntry } from '../store/audit.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { insertSet, insertWallet, nextEpoch } from './adopt.js'
import { allow, describeCeremony, describeSet, readPending } from './decide.js'
import { type RecordFacts, readRecord } from './record.js'

/** Returns R1's record keys: at R1 its own, at R2 those of the peer. */
export async function getRecordKeys({ party, keys, peer }: Services): Promise<ReadonlyMap<string, PublicJwk>> {
  return party === 'R1' ? keys.recordKeys : (await peer.info()).recordKeys
}

/** Policy that the other relay delivers with a record, which names its hash. */
interface FromPeer {
  readonly policy: Policy | null
}

/**
 * @param fromPeer present when the other relay shows the record: it repairs what a frame's record can only freeze
 * @returns the epoch of this relay after the record
 * @throws RelayError `wallet_frozen` when the record is newer than anything that this relay knows
 */
export async function acceptRecord(
  services: Services,
  environmentId: string,
  text: string,
  fromPeer?: FromPeer,
): Promise<number> {
  const facts = readRecord(await getRecordKeys(services), text)
  const { set } = facts
  // Read the pending state before the row: a row change deletes it, so if both are missing, writes were lost.
  const pending = services.party === 'R2' || fromPeer ? await getPending(services, facts) : undefined
  const row = await services.sets.find(environmentId, set.setId)
  if (facts.environmentId !== environmentId) throw new RelayError('epoch_mismatch', { epoch: row?.epoch ?? 0 })
  const generation = row && readRecord(await getRecordKeys(services), row.record).generation
  const known = { set: row && describeSet(row), generation, ceremony: pending && describeCeremony(pending) }
  const isFromPeer = fromPeer !== undefined
  const decision = allow(onRecord({ party: services.party, isFromPeer, ...known }, { ...facts, ...set }))
  const shown = row && { row, facts, text, fromPeer }
  if (decision.action === 'keep') return decision.epoch
  if (decision.action === 'end') return endCeremonies(services, facts, () => true)
  if (decision.action === 'endOthers')
    return endCeremonies(services, facts, it => it.isAdditional && it.transcript !== facts.transcript)
  if (row && decision.action === 'revoke') return (await revoke(services, row, facts, text)).epoch
  if (shown && decision.action === 'renew') return (await renew(services, shown)).epoch
  if (shown && decision.action === 'lose') return (await lose(services, shown)).epoch
  if (row && decision.action === 'freeze') return freeze(services, row, facts)
  if (decision.action === 'leave') return once(services, facts, () => leave(services, { row, facts, text, pending }))
  if (!pending) throw new RelayError('epoch_mismatch', { epoch: row?.epoch ?? 0 })
  return once(services, facts, () => adopt(services, { row, facts, text, pending }))
}

/** R1 sends a record by itself and along with requests, and only one delivery may change the row. */
async function once(services: Services, { set, environmentId }: RecordFacts, change: () => Promise<number>) {
  try {
    return await change()
  } catch (error) {
    const row = await services.sets.find(environmentId, set.setId)
    if (row && row.epoch >= set.epoch) return row.epoch
    throw error
  }
}

async function getPending({ db }: Services, { set, userId }: RecordFacts): Promise<CeremonyRow | undefined> {
  const isOwn = and(eq(ceremonies.id, set.ceremonyId), eq(ceremonies.userId, userId), eq(ceremonies.setId, set.setId))
  const [ceremony] = await db
    .select()
    .from(ceremonies)
    .where(and(isOwn, inArray(ceremonies.step, ['dealt', 'confirmed'])))
  return ceremony
}

/** Ends ceremonies of a set that this relay does not have, and erases their shares. */
async function endCeremonies(
  { db }: Services,
  { set, userId }: RecordFacts,
  isOver: (ceremony: RelayCeremony) => boolean,
): Promise<number> {
  const { setId, walletId } = set
  const isOfSet = and(eq(ceremonies.setId, setId), eq(ceremonies.walletId, walletId), eq(ceremonies.userId, userId))
  const running = inArray(ceremonies.step, ['dealt', 'confirmed'])
  const rows = await db.select().from(ceremonies).where(and(isOfSet, running))
  const over = rows.filter(row => isOver(describeCeremony(row))).map(({ id }) => id)
  if (over.length > 0)
    await db
      .update(ceremonies)
      .set({ step: 'ended', state: null })
      .where(and(inArray(ceremonies.id, over), running))
  return 0
}

function getEntry(services: Services, facts: RecordFacts, what: AuditEntry['what']): AuditEntry {
  return { at: services.clock.now(), what, userId: facts.userId, epoch: facts.set.epoch, transcript: facts.transcript }
}

interface Departure {
  readonly row: SetRow | undefined
  readonly facts: RecordFacts
  readonly text: string
  readonly pending: CeremonyRow | undefined
}
interface Adoption extends Departure {
  readonly pending: CeremonyRow
}

function endIn({ ceremonies }: Services, pending: CeremonyRow | undefined) {
  return async (tx: Transaction) => {
    if (pending) await ceremonies.advance(tx, pending, { step: 'done' }, null)
    return {}
  }
}

/** Erases the share: the new epoch has none for this relay, which may have lost the ceremony in a restore. */
async function leave(services: Services, { row, facts, text, pending }: Departure): Promise<number> {
  const { epoch } = facts.set
  if (!row) return epoch
  const values = { status: 'revoked' as const, share: null, epoch, record: text }
  const entry = getEntry(services, facts, 'committed')
  await services.sets.change(row, () => ({ values, entry }), undefined, endIn(services, pending))
  return epoch
}

async function adopt(services: Services, { row, facts, text, pending }: Adoption): Promise<number> {
  const pendingFacts = readPending(pending)
  const end = endIn(services, pending)
  const entry = getEntry(services, facts, row ? 'committed' : 'created')
  const share = decode(codecs.keyShare, services.ceremonies.state(pending), anyPoint)
  try {
    checkSame(share, facts)
    const enforced: EnforcedPolicy<Policy | null> = row ?? pendingFacts
    const { policy, unconfirmed } = adoptedPolicy(row && describeSet(row), enforced, pendingFacts)
    const made = {
      ...facts,
      share,
      name: pendingFacts.name,
      owner: pendingFacts.owner,
      deviceKey: pending.deviceKey,
      policy,
      unconfirmed,
      record: text,
    }
    if (row) {
      const values = { ...nextEpoch(services, made), record: text, status: 'active' as const, policy, unconfirmed }
      await services.sets.change(row, () => ({ values, entry }), undefined, end)
      return facts.set.epoch
    }
    const hasWallet = await services.wallets.exists(facts.set.walletId)
    await services.db.transaction(async tx => {
      await end(tx)
      const sealedSeed = pendingFacts.sealedSeed === undefined ? undefined : toBytes(pendingFacts.sealedSeed)
      if (hasWallet) await insertSet(services, tx, made, entry)
      else await insertWallet(services, tx, { ...made, origin: pendingFacts.origin, sealedSeed }, entry)
    })
    return facts.set.epoch
  } finally {
    eraseShare(share)
  }
}

/** Checks that the share belongs to the set that R1 signed. */
function checkSame(share: KeyShare, { set }: RecordFacts): void {
  if (toText(encode(codecs.shareSet, share.set)) !== toText(encode(codecs.shareSet, set)))
    throw new RelayError('epoch_mismatch', { epoch: share.set.epoch })
}

interface Shown {
  readonly row: SetRow
  readonly facts: RecordFacts
  readonly text: string
  readonly fromPeer: FromPeer | undefined
}

/** Takes a later record of the same epoch, as after a change of the policy. */
function renew(services: Services, { row, facts, text, fromPeer }: Shown): Promise<SetRow> {
  return services.sets.change(row, now => ({
    values: { record: text, ...getPolicy(services, now, fromPeer) },
    entry: getEntry(services, facts, 'policy'),
  }))
}

function getPolicy({ party }: Services, row: SetRow, fromPeer: FromPeer | undefined) {
  return fromPeer ? recordedPolicy(party, row, fromPeer.policy, { isWithin, nothing: SIGNS_NOTHING }) : {}
}

/**
 * Marks the share as lost: the set has a newer epoch, whose share this relay does not have. The old share stays sealed
 * in the row, where an operator can still use it.
 */
async function lose(services: Services, { row, facts, text, fromPeer }: Shown): Promise<SetRow> {
  const { set, scheme, device: thumbprint } = facts
  const publicSet = toText(encode(codecs.shareSet, set))
  const entry = { ...getEntry(services, facts, 'lost'), before: row.epoch }
  services.log({ level: 'error', message: 'a share is lost: it is newer than this database', walletId: row.walletId })
  return services.sets.change(
    row,
    now => {
      const place = { epoch: set.epoch, publicSet, record: text, thumbprint, lostAt: services.clock.now() }
      return { values: { ...place, ...getPolicy(services, now, fromPeer) }, entry }
    },
    undefined,
    async tx => {
      if (row.kind === 'primary') await tx.update(wallets).set({ scheme }).where(eq(wallets.id, row.walletId))
      return {}
    },
  )
}

function revoke(services: Services, row: SetRow, facts: RecordFacts, text: string): Promise<SetRow> {
  return services.sets.change(row, () => ({
    values: { status: 'revoked', share: null, record: text },
    entry: getEntry(services, facts, 'revoked'),
  }))
}

/** Freezes the wallet, which then signs nothing: this relay has lost writes. */
async function freeze(services: Services, row: SetRow, facts: RecordFacts): Promise<never> {
  const now = services.clock.now()
  const all = await services.db.select().from(shareSets).where(eq(shareSets.walletId, row.walletId))
  for (const shareSet of all) {
    if (shareSet.frozenAt !== null) continue
    await services.sets.change(shareSet, () => ({
      values: { frozenAt: now },
      entry: { ...getEntry(services, facts, 'frozen'), ours: row.epoch, set: row.id },
    }))
  }
  services.log({ level: 'error', message: 'a wallet is frozen: this relay has lost writes', walletId: row.walletId })
  throw new RelayError('wallet_frozen')
}
