/** Resharing, trip 1 of 2: all dealers deal. The old epoch still signs. */
import { type BeginRequest, type BeginState, codecs, encode, onBegin } from '@keybay/waas/mpc'
import { and, eq, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { type Authority, auditEntry, checkRow } from '../../authority/authorize.js'
import { demandMfa } from '../../authority/mfa.js'
import { badRestore, countBadShare } from '../../ceremonies/bad-shares.js'
import { deal, getState } from '../../ceremonies/deal.js'
import { allow, describeCeremony, describeSet } from '../../ceremonies/decide.js'
import { answered, CEREMONY_LIFETIME, once } from '../../ceremonies/flow.js'
import { CeremonyFault, decodeAll } from '../../ceremonies/messages.js'
import { getAction, getKind, isAdditional, isFrame, planReshare, reshareOperation } from '../../ceremonies/plan.js'
import { assertReplica } from '../../ceremonies/room.js'
import { getSource, type Source } from '../../ceremonies/source.js'
import { getThumbprint, sha256 } from '../../crypto/jwk.js'
import { ceremonies, joins, shareSets } from '../../db/schema.js'
import { RelayError } from '../../http/errors.js'
import { toText, uuid } from '../../http/fields.js'
import { type Call, LARGE_BODY_BYTES, parse, route } from '../../http/route.js'
import { hashPolicy, isOpen } from '../../policy/index.js'
import type { SetRow, Transaction } from '../../store/sets.js'
import { openShare } from '../../store/shares.js'
import { approvedBy, authorizeDealing, checkDealers } from './checks.js'
import { type BeginBody, beginAnswer, beginBody, type ReshareFacts, reshareErrors } from './schema.js'

export const reshareBegin = route({
  path: '/wallets/{walletId}/reshare/begin',
  summary: 'Trip 1 of 2: dealings of both sides. The new epoch is pending until the commit.',
  bodyLimit: LARGE_BODY_BYTES,
  params: v.object({ walletId: uuid }),
  body: beginBody,
  answer: beginAnswer,
  errors: [...reshareErrors, 'consent_required', 'mfa_required', 'replica_required', 'ceremony_not_found'],
  run: async (call, { params, body }) => {
    const { services, environment } = call
    const { walletId } = params
    const source = await getSource(call, walletId, body)
    const named = reshareOperation(body.purpose, source.scheme, body.newScheme, approvedBy(body, source))
    const operation = { ...named, address: source.address }
    const authority = await authorizeDealing(call, walletId, source, body, operation)
    const { userId } = authority.session
    const key = { id: body.ceremonyId, environmentId: environment.id, userId, kind: 'reshare' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, 'dealt')
    if (repeat) return parse('answer', beginAnswer, repeat)
    if (before) throw new RelayError('ceremony_state')
    // A delegate signs without asking the user again.
    if (body.purpose === 'delegate' && !authority.device.consent)
      throw new RelayError('consent_required', { rule: 'delegate' })
    // A delegate has no user who could be asked.
    if (body.policy && isOpen(body.policy)) throw new RelayError('invalid_request', { reason: 'policy' })
    await services.limits.hit('dealings per wallet', walletId)
    if (body.newScheme !== source.scheme) await assertReplica(call, body.newScheme)
    const mfa = await demandMfa(call, authority.session, getAction(body.purpose), operation)
    try {
      return await begin(call, { walletId, source, authority, body, mfa })
    } catch (error) {
      if (!(error instanceof CeremonyFault)) throw error
      if (body.deviceKey || !source.row) throw badRestore(error)
      throw await countBadShare(call, authority, source.row, error)
    }
  },
})

interface Begin {
  readonly walletId: string
  readonly source: Source
  readonly authority: Authority
  readonly body: BeginBody
  readonly mfa: string | undefined
}

async function begin(call: Call, { walletId, source, authority, body, mfa }: Begin) {
  const { services } = call
  const { row, join } = source
  checkDealers(body, walletId, source)
  const plan = planReshare({ ...body, walletId }, source.from, source.kind, source.scheme)
  const deals = plan.dealers.includes(services.party)
  // An additional device has the policy of the device that it comes from.
  const policy = body.policy ?? source.policy
  const known = {
    source: row && describeSet(row),
    policyHash: hashPolicy(policy),
    activeSets: await services.wallets.countActiveSets(walletId),
  }
  const request: BeginRequest = {
    ceremonyId: body.ceremonyId,
    environmentId: call.environment.id,
    walletId,
    setId: body.newSetId,
    fromEpoch: source.from.epoch,
    isAdditional: isAdditional(body.purpose),
    policyHash: toText(body.policyHash),
  }
  // Refuses before anything is dealt; the transaction decides again.
  allow(onBegin({ ...known, taken: undefined, ceremonies: [] }, request))
  if (deals && !row) throw new RelayError('wallet_not_found')
  const dealt = await deal(call, {
    plan,
    share: deals && row ? openShare(services.envelope, row) : undefined,
    dealings: decodeAll(codecs.reshareDealing, body.dealings),
    boxes: body.subShares,
    sealingKey: join?.sealingKey ?? body.sealingKey,
    forPeer: {
      record: row?.record,
      policy: source.policy,
      deviceKey: source.registeredKey,
      ...(join && { join: { ...join, sealingKey: toText(join.sealingKey) } }),
    },
    mfa,
  })
  const { dealings, subShares, transcript } = dealt.answer
  const expiresAt = services.clock.now() + CEREMONY_LIFETIME
  const answer = { dealings: [...dealings], subShares: [...subShares], transcript, expiresAt }
  const facts: ReshareFacts = {
    purpose: body.purpose,
    from: toText(encode(codecs.shareSet, source.from)),
    oldScheme: source.scheme,
    newScheme: body.newScheme,
    address: source.address,
    kind: getKind(body.purpose, source.kind),
    transcript,
    leaves: dealt.share === undefined,
    name: join?.name ?? '',
    policy,
    unconfirmed: body.policy ? [] : [...(row?.unconfirmed ?? [])],
    owner: getThumbprint(body.deviceKey ?? source.registeredKey),
    registered: !body.deviceKey && !join,
  }
  const write = async (tx: Transaction, now?: SetRow): Promise<object> => {
    await replaceOthers(tx, { ...known, source: now && describeSet(now) }, request)
    await services.ceremonies.begin(
      tx,
      {
        id: body.ceremonyId,
        environmentId: call.environment.id,
        userId: authority.session.userId,
        kind: 'reshare',
        walletId,
        setId: body.newSetId,
        deviceKey: body.deviceKey ?? join?.deviceKey ?? source.registeredKey,
        step: 'dealt',
        bodyHash: sha256(call.rawBody),
        answer: JSON.stringify(answer),
        facts: { ...facts },
        expiresAt,
      },
      getState(dealt, plan),
    )
    if (join?.joinId !== undefined && services.party === 'R1')
      await giveToJoin(tx, join.joinId, body, facts.from, answer)
    return {}
  }
  if (!row) await once(call, authority, write)
  else {
    const facts = { purpose: body.purpose, newSet: body.newSetId }
    const entry = auditEntry(call, authority, source.from.epoch, 'dealt', facts)
    const check = (now: SetRow) => {
      // The key of a new device is not the row's.
      if (!body.deviceKey) checkRow(call, now, authority.device)
      return { values: {}, entry }
    }
    await services.sets.change(row, check, authority.nonce, write)
  }
  return answer
}

/** Ends the resharings that this one replaces: a set has one at a time. @throws RelayError for a set ID that is taken */
async function replaceOthers(
  tx: Transaction,
  known: Omit<BeginState, 'taken' | 'ceremonies'>,
  request: BeginRequest,
): Promise<void> {
  const [taken] = await tx.select().from(shareSets).where(eq(shareSets.id, request.setId))
  const waiting = and(eq(ceremonies.setId, request.setId), eq(ceremonies.step, 'dealt'))
  const others = await tx.select().from(ceremonies).where(waiting)
  const state = { ...known, taken: taken && describeSet(taken), ceremonies: others.map(describeCeremony) }
  const { ends } = allow(onBegin(state, request))
  if (ends.length === 0) return
  await tx
    .update(ceremonies)
    .set({ step: 'ended', state: null })
    .where(and(inArray(ceremonies.id, [...ends]), eq(ceremonies.step, 'dealt')))
}

/** Gives the new device all dealings and what is sealed for it, since the device has seen none of the ceremony. */
async function giveToJoin(
  tx: Transaction,
  joinId: string,
  body: BeginBody,
  from: string,
  { dealings, subShares, transcript }: v.InferOutput<typeof beginAnswer>,
): Promise<void> {
  const { ceremonyId, dealers } = body
  const sealedByDevice = body.subShares
    .filter(({ to }) => isFrame(to))
    .map(subShare => ({ ...subShare, box: toText(subShare.box) }))
  const dealt = {
    from,
    dealers,
    policyHash: toText(body.policyHash),
    dealings: [...body.dealings.map(toText), ...dealings],
    subShares: [...sealedByDevice, ...subShares],
    transcript,
  }
  await tx.update(joins).set({ ceremonyId, dealt }).where(eq(joins.id, joinId))
}
