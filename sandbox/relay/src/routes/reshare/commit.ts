/** Resharing, trip 2 of 2: all parties prove their new shares; R1's signed record makes the new epoch the only one. */
import {
  anyPoint,
  codecs,
  confirmTranscript,
  decode,
  eraseShare,
  type KeyShare,
  onAbort,
  onCommit,
  proveShare,
  type ShareSet,
  verifyShareProof,
} from '@keybay/waas/mpc'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import {
  type Authority,
  auditEntry,
  authorizeKey,
  authorizeSet,
  checkHeld,
  checkRow,
} from '../../authority/authorize.js'
import { authorizeDelegate, isWithoutUser } from '../../authority/delegate.js'
import { isSignedWith } from '../../authority/device.js'
import { verifyToken } from '../../authority/session.js'
import { insertSet, nextEpoch } from '../../ceremonies/adopt.js'
import { badRestore, countBadShare } from '../../ceremonies/bad-shares.js'
import { allow, describeCeremony, describeSet } from '../../ceremonies/decide.js'
import { answered, askPeer, CONFIRMED_LIFETIME, DONE_LIFETIME, once } from '../../ceremonies/flow.js'
import { signNext } from '../../ceremonies/history.js'
import { CeremonyFault, step } from '../../ceremonies/messages.js'
import { isAdditional, reshareOperation } from '../../ceremonies/plan.js'
import { checkProofs, proofs } from '../../ceremonies/proofs.js'
import { demandPeer, demandWitness } from '../../ceremonies/witness.js'
import { getThumbprint, sha256 } from '../../crypto/jwk.js'
import { wallets } from '../../db/schema.js'
import { RelayError } from '../../http/errors.js'
import { exactBytes, toBytes, toText, uuid } from '../../http/fields.js'
import { type Call, parse, route } from '../../http/route.js'
import type { Services } from '../../services.js'
import type { CeremonyRow } from '../../store/ceremonies.js'
import type { SetRow } from '../../store/sets.js'
import { walletSchema } from '../../store/wallets.js'
import { type ReshareFacts, reshareErrors, reshareFacts } from './schema.js'
import { revokeWaiting } from './waiting.js'

const params = v.object({ walletId: uuid })
const confirmed = v.object({ transcript: v.string(), proof: v.optional(v.string()) })
const commitAnswer = v.union([v.object({ wallet: walletSchema }), confirmed])

async function load({ services, environment }: Call, walletId: string, ceremonyId: string, userId?: string) {
  const key = { id: ceremonyId, environmentId: environment.id, kind: 'reshare' as const }
  const row = await services.ceremonies.get({ ...key, userId })
  if (row.walletId !== walletId) throw new RelayError('ceremony_not_found')
  const facts = v.parse(reshareFacts, row.facts)
  const operation = { ...reshareOperation(facts.purpose, facts.oldScheme, facts.newScheme), address: facts.address }
  return { row, facts, operation }
}

/** Loads a running resharing, and authorises the caller's next step. */
async function goOn(call: Call, walletId: string, ceremonyId: string) {
  const { services, environment } = call
  const user = isWithoutUser(call) ? undefined : await verifyToken(call)
  const { row, facts, operation } = await load(call, walletId, ceremonyId, user?.userId)
  if ((facts.purpose === 'delegate') === (user !== undefined)) throw new RelayError('unauthorized')
  const authority = user
    ? await authorizeKey(call, row.deviceKey, operation, row)
    : authorizeDelegate(call, row, operation)
  const from = decode(codecs.shareSet, toBytes(facts.from), anyPoint)
  const source = await services.sets.find(environment.id, from.setId)
  if (source) checkHeld(source)
  return { row, facts, authority, from, source }
}

/** Authorises an abort: by the key of the ceremony, or by that of the wallet's primary set. */
async function authorizeAbort(call: Call, walletId: string, ceremonyId: string) {
  const { services } = call
  if (!isWithoutUser(call)) {
    const { userId } = await verifyToken(call)
    const { row, operation } = await load(call, walletId, ceremonyId, userId)
    const sets = await services.wallets.sets(walletId)
    const signer = sets.find(set => set.kind === 'primary' && isSignedWith(call, set.deviceKey))
    if (signer && signer.thumbprint !== getThumbprint(row.deviceKey)) {
      const authority = await authorizeSet(call, { walletId, setId: signer.id, ...operation })
      checkRow(call, authority.row, authority.device)
      return { row, authority, signer, primary: authority }
    }
  }
  const { row, authority } = await goOn(call, walletId, ceremonyId)
  return { row, authority, signer: 'ceremony' as const, primary: undefined }
}

export const reshareCommit = route({
  path: '/wallets/{walletId}/reshare/commit',
  summary: 'Trip 2 of 2: proofs of the new shares. Then the new epoch signs, and the old shares are erased.',
  delegates: true,
  params,
  body: v.strictObject({ ceremonyId: uuid, transcript: exactBytes(32), proofs }),
  answer: commitAnswer,
  errors: [...reshareErrors, 'ceremony_not_found', 'transcript_mismatch'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { row, facts, authority, from, source } = await goOn(call, params.walletId, body.ceremonyId)
    const isR1 = services.party === 'R1'
    const repeat = await answered(call, authority, row, isR1 ? 'done' : 'confirmed')
    if (repeat) return isR1 ? shown(call, row.walletId) : parse('answer', confirmed, repeat)
    const activeSets = await services.wallets.countActiveSets(row.walletId)
    checkCommit(services, { row, facts, authority, from, source, activeSets })
    const share = facts.leaves ? undefined : decode(codecs.keyShare, services.ceremonies.state(row), anyPoint)
    const commit = {
      row,
      activeSets,
      facts,
      authority,
      from,
      source,
      share,
      context: getContext(body.ceremonyId, facts.transcript),
    }
    try {
      step(() => confirmTranscript(toBytes(facts.transcript), body.transcript, 'C'))
      // The backup proves its share too: no epoch begins without a backup.
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
  /** Number of active sets of the wallet. */
  readonly activeSets: number
  /** Set that deals, if this relay has it. */
  readonly source: SetRow | undefined
  readonly share: KeyShare | undefined
  readonly context: Uint8Array
}

function getContext(ceremonyId: string, transcript: string): Uint8Array {
  return Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, transcript]))
}

function checkCommit(
  { party }: Services,
  { row, facts, authority, from, source, activeSets }: Omit<Commit, 'share' | 'context'>,
): void {
  const isDealer = from.parties.includes(party)
  const known = source && describeSet(source)
  allow(onCommit({ ceremony: describeCeremony(row), source: known, fromEpoch: from.epoch, activeSets, isDealer }))
  if (!source || !isDealer || !facts.registered) return
  // The set's key may have been locked or replaced since it dealt.
  if (source.lockedAt !== null || source.thumbprint !== authority.device.thumbprint)
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

async function askR2(call: Call, { from, facts, context }: Commit, set: ShareSet): Promise<void> {
  const joins = set.parties.includes('R2')
  if (!joins && (isAdditional(facts.purpose) || !from.parties.includes('R2'))) return
  const confirmation = await askPeer(call, confirmed)
  step(() => confirmTranscript(toBytes(facts.transcript), toBytes(confirmation.transcript), 'R2'))
  if (joins) step(() => verifyShareProof(set, 'R2', context, toBytes(confirmation.proof ?? '')))
}

async function commitAtR1(call: Call, commit: Commit) {
  const { services, environment } = call
  const { row, facts, authority, source, share } = commit
  if (!share || !source) throw new RelayError('wallet_not_found')
  const { set } = share
  await demandPeer(services, row.walletId, call.requestId)
  await askR2(call, commit, set)
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
    checkCommit(services, { ...commit, source: now })
    return next ? { values: next, entry } : { values: {}, entry: { ...entry, epoch: now.epoch, newSet: set.setId } }
  }
  await services.sets.change(source, check, authority.nonce, async (tx, changed) => {
    await services.ceremonies.advance(tx, row, values, null)
    const described = { ...made, policy: next ? changed.policy : policy }
    const record = await signNext(services, tx, described)
    const created = { ...entry, what: 'created' as const }
    if (!next) await insertSet(services, tx, { ...described, name, record }, created)
    if (next && kind === 'primary')
      await tx.update(wallets).set({ scheme: facts.newScheme }).where(eq(wallets.id, row.walletId))
    return next ? { record } : {}
  })
  return shown(call, row.walletId)
}

/** Answers a commit only once R2 has the record too. */
async function shown({ services, requestId }: Call, walletId: string) {
  await demandWitness(services, walletId, requestId)
  return { wallet: await services.wallets.show(walletId) }
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
    const { row, authority, signer, primary } = await authorizeAbort(call, params.walletId, body.ceremonyId)
    const ceremony = describeCeremony(row)
    const { action } = allow(onAbort(ceremony, signer))
    if (action === 'end' && primary && ceremony.isAdditional && services.party === 'R1') {
      // Its holder could take the set from a restored relay, which learns of a signed revocation.
      await revokeWaiting(call, primary, primary.row, row.setId)
      return {}
    }
    await once(call, authority, async tx => {
      if (action === 'end') await services.ceremonies.advance(tx, row, { step: 'ended' }, null)
    })
    return {}
  },
})
