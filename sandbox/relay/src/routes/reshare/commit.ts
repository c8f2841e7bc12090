/** Resharing, trip 2 of 2: all parties prove their new shares; R1's signed record makes the new epoch the only one. */
import {
  anyPoint,
  codecs,
  confirmTranscript,
  decode,
  eraseShare,
  type KeyShare,
  proveShare,
  type ShareSet,
  verifyShareProof,
} from '@keybay/waas/mpc'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { type Authority, auditEntry, authorizeKey } from '../../authority/authorize.js'
import { authorizeDelegate, isWithoutUser } from '../../authority/delegate.js'
import { verifyToken } from '../../authority/session.js'
import { insertSet, nextEpoch } from '../../ceremonies/adopt.js'
import { badRestore, countBadShare } from '../../ceremonies/bad-shares.js'
import {
  answered,
  askPeer,
  CONFIRMED_LIFETIME,
  DONE_LIFETIME,
  once,
  oweRecord,
  showRecord,
} from '../../ceremonies/flow.js'
import { CeremonyFault, step } from '../../ceremonies/messages.js'
import { isAdditional, isFrame, reshareOperation } from '../../ceremonies/plan.js'
import { sha256 } from '../../crypto/jwk.js'
import { wallets } from '../../db/schema.js'
import { RelayError } from '../../http/errors.js'
import { bytes, exactBytes, toBytes, toText, uuid } from '../../http/fields.js'
import { type Call, parse, route } from '../../http/route.js'
import type { CeremonyRow } from '../../store/ceremonies.js'
import type { SetRow } from '../../store/sets.js'
import { walletSchema } from '../../store/wallets.js'
import { type ReshareFacts, reshareErrors, reshareFacts } from './schema.js'

const params = v.object({ walletId: uuid })
const confirmed = v.object({ transcript: v.string(), proof: v.optional(v.string()) })
const commitAnswer = v.union([v.object({ wallet: walletSchema }), confirmed])

/** Loads a running resharing, and authorises the caller's next step. */
async function goOn(call: Call, walletId: string, ceremonyId: string) {
  const { services, environment } = call
  const user = isWithoutUser(call) ? undefined : await verifyToken(call)
  const key = { id: ceremonyId, environmentId: environment.id, kind: 'reshare' as const }
  const row = await services.ceremonies.get({ ...key, userId: user?.userId })
  if (row.walletId !== walletId) throw new RelayError('ceremony_not_found')
  const facts = v.parse(reshareFacts, row.facts)
  const operation = { ...reshareOperation(facts.purpose, facts.oldScheme, facts.newScheme), address: facts.address }
  if ((facts.purpose === 'delegate') === (user !== undefined)) throw new RelayError('unauthorized')
  const authority = user
    ? await authorizeKey(call, row.deviceKey, operation, row)
    : authorizeDelegate(call, row, operation)
  const from = decode(codecs.shareSet, toBytes(facts.from), anyPoint)
  return { row, facts, authority, from, source: await services.sets.find(environment.id, from.setId) }
}

export const reshareCommit = route({
  path: '/wallets/{walletId}/reshare/commit',
  summary: 'Trip 2 of 2: proofs of the new shares. Then the new epoch signs, and the old shares are erased.',
  delegates: true,
  params,
  body: v.strictObject({
    ceremonyId: uuid,
    transcript: exactBytes(32),
    proofs: v.pipe(v.array(bytes(128)), v.maxLength(3)),
  }),
  answer: commitAnswer,
  errors: [...reshareErrors, 'ceremony_not_found', 'transcript_mismatch'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { row, facts, authority, from, source } = await goOn(call, params.walletId, body.ceremonyId)
    const isR1 = services.party === 'R1'
    const repeat = await answered(call, authority, row, isR1 ? 'done' : 'confirmed')
    if (repeat) return isR1 ? { wallet: await services.wallets.show(row.walletId) } : parse('answer', confirmed, repeat)
    if (row.step !== 'dealt') throw new RelayError('ceremony_state')
    // A relay that has left the set knows only the earlier epochs; it may come back.
    const hasLeft = !from.parties.includes(services.party) && source?.frozenAt === null
    if (source && !hasLeft) checkSource(source, from, facts, authority)
    const share = facts.leaves ? undefined : decode(codecs.keyShare, services.ceremonies.state(row), anyPoint)
    const commit = {
      row,
      facts,
      authority,
      from,
      source,
      share,
      context: getContext(body.ceremonyId, facts.transcript),
    }
    try {
      step(() => confirmTranscript(toBytes(facts.transcript), body.transcript, 'C'))
      if (share) checkProofs(share.set, commit.context, body.proofs)
      return await (isR1 ? commitAtR1 : confirmAtR2)(call, commit)
    } catch (error) {
      if (!(error instanceof CeremonyFault)) throw error
      if (facts.registered && source) throw await countBadShare(call, authority, source, error)
      throw badRestore(error)
    } finally {
      if (share) eraseShare(share)
    }
  },
})

interface Commit {
  readonly row: CeremonyRow
  readonly facts: ReshareFacts
  readonly authority: Authority
  readonly from: ShareSet
  /** Set that deals, if this relay has it. */
  readonly source: SetRow | undefined
  readonly share: KeyShare | undefined
  readonly context: Uint8Array
}

function getContext(ceremonyId: string, transcript: string): Uint8Array {
  return Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, transcript]))
}

/** Checks that each new party of the frame holds its share, including the backup: no epoch begins without a backup. */
function checkProofs(set: ShareSet, context: Uint8Array, proofs: readonly Uint8Array[]): void {
  const frameParties = set.parties.filter(isFrame)
  for (const [index, party] of frameParties.entries())
    step(() => verifyShareProof(set, party, context, proofs[index] ?? new Uint8Array()))
}

function checkSource(row: SetRow, from: ShareSet, { registered }: ReshareFacts, { device }: Authority): void {
  if (row.frozenAt !== null) throw new RelayError('wallet_frozen')
  if (row.epoch !== from.epoch) throw new RelayError('epoch_mismatch', { epoch: row.epoch })
  if (row.status === 'revoked') throw new RelayError('set_revoked')
  if (registered && (row.lockedAt !== null || row.thumbprint !== device.thumbprint))
    throw new RelayError('device_locked')
}

async function confirmAtR2(call: Call, { row, facts, authority, share, context }: Commit) {
  const answer = { transcript: facts.transcript, ...(share && { proof: toText(proveShare(share, context)) }) }
  const values = {
    step: 'confirmed',
    bodyHash: sha256(call.rawBody),
    answer: JSON.stringify(answer),
    expiresAt: call.services.clock.now() + CONFIRMED_LIFETIME,
  }
  const { ceremonies } = call.services
  await once(call, authority, tx => ceremonies.advance(tx, row, values, ceremonies.state(row)))
  return answer
}

async function askR2(call: Call, { from, facts, context }: Commit, set: ShareSet): Promise<boolean> {
  const joins = set.parties.includes('R2')
  if (!joins && (isAdditional(facts.purpose) || !from.parties.includes('R2'))) return false
  const confirmation = await askPeer(call, confirmed)
  step(() => confirmTranscript(toBytes(facts.transcript), toBytes(confirmation.transcript), 'R2'))
  if (joins) step(() => verifyShareProof(set, 'R2', context, toBytes(confirmation.proof ?? '')))
  return true
}

async function commitAtR1(call: Call, commit: Commit) {
  const { services, environment } = call
  const { row, facts, authority, from, source, share } = commit
  if (!share || !source) throw new RelayError('wallet_not_found')
  const { set } = share
  const involved = await askR2(call, commit, set)
  const { address, kind, transcript, name, policy } = facts
  const made = {
    environmentId: environment.id,
    userId: row.userId,
    address,
    kind,
    scheme: facts.newScheme,
    status: 'active' as const,
    set,
    share,
    transcript,
    deviceKey: row.deviceKey,
  }
  const expiresAt = services.clock.now() + DONE_LIFETIME
  const values = { step: 'done', bodyHash: sha256(call.rawBody), answer: '{}', expiresAt }
  const entry = auditEntry(call, authority, set.epoch, 'committed', { transcript })
  const next = isAdditional(facts.purpose) ? undefined : nextEpoch(services, made)
  const check = (now: SetRow) => {
    checkSource(now, from, facts, authority)
    return next ? { values: next, entry } : { values: {}, entry: { ...entry, epoch: now.epoch, newSet: set.setId } }
  }
  await services.sets.change(source, check, authority.nonce, async tx => {
    await services.ceremonies.advance(tx, row, values, null)
    const created = { ...entry, what: 'created' as const }
    const { record } = next ?? (await insertSet(services, tx, { ...made, name, policy }, created))
    if (involved) await oweRecord(tx, { environmentId: environment.id, setId: set.setId, record })
    if (next && kind === 'primary')
      await tx.update(wallets).set({ scheme: facts.newScheme }).where(eq(wallets.id, row.walletId))
  })
  const wallet = await services.wallets.show(row.walletId)
  await showRecord(call, wallet.sets.find(({ setId }) => setId === set.setId)?.record ?? '', involved)
  return { wallet }
}

export const reshareAbort = route({
  path: '/wallets/{walletId}/reshare/abort',
  summary: 'Ends a resharing: the old epoch goes on, what was pending is erased.',
  delegates: true,
  params,
  body: v.strictObject({ ceremonyId: uuid }),
  answer: v.object({}),
  errors: [...reshareErrors, 'ceremony_not_found'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { row, authority } = await goOn(call, params.walletId, body.ceremonyId)
    if (row.step === 'done') throw new RelayError('ceremony_state')
    await once(call, authority, async tx => {
      if (row.step !== 'ended') await services.ceremonies.advance(tx, row, { step: 'ended' }, null)
    })
    return {}
  },
})
