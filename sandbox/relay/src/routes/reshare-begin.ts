/** Resharing, trip 1 of 2: everybody deals. The old epoch goes on signing. */
import { codecs, encode, verifyShareProof } from '@keybay/waas/mpc'
import { and, eq, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { type Authority, authorizeKey, checkRow } from '../authority/authorize.js'
import { countBadRestore, countBadShare } from '../authority/bad-shares.js'
import { sha256, thumbprintOf } from '../authority/keys.js'
import { demandMfa } from '../authority/mfa.js'
import type { Operation } from '../authority/session.js'
import { deal, stateOf } from '../ceremonies/deal.js'
import { answered, CEREMONY_LIFETIME, once } from '../ceremonies/flow.js'
import { CeremonyFault, decodeAll, step } from '../ceremonies/messages.js'
import { isFrame } from '../ceremonies/plan.js'
import { actionOf, isAdditional, kindOf, PURPOSES, planReshare, reshareOperation } from '../ceremonies/reshare-plan.js'
import { type Source, sourceOf } from '../ceremonies/source.js'
import { ceremonies, joins } from '../db/schema.js'
import type { Call } from '../http/call.js'
import {
  badShare,
  ceremonyNotFound,
  ceremonyState,
  deviceLocked,
  epochMismatch,
  invalidDeviceSignature,
  invalidRequest,
  invalidSessionSignature,
  mfaRequired,
  notEnabled,
  peerUnavailable,
  RelayError,
  setNotFound,
  setRevoked,
  tooManyRequests,
  unauthorized,
  walletFrozen,
  walletNotFound,
} from '../http/errors.js'
import {
  base64url,
  bytes,
  deviceKey,
  exactBytes,
  messages,
  party,
  scheme,
  sealedAnswer,
  subShares,
  time,
  toText,
  uuid,
} from '../http/fields.js'
import { parse, route } from '../http/route.js'
import { policySchema } from '../policy/index.js'
import type { AuditEntry } from '../store/audit.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { openShare } from '../store/shares.js'

export const reshareErrors = [
  unauthorized,
  invalidSessionSignature,
  invalidDeviceSignature,
  walletNotFound,
  setNotFound,
  setRevoked,
  epochMismatch,
  walletFrozen,
  deviceLocked,
  notEnabled,
  badShare,
  ceremonyState,
  tooManyRequests,
  peerUnavailable,
] as const

/** What a relay keeps of a resharing, beside the pending share; public. */
export const reshareFacts = v.object({
  purpose: v.picklist(PURPOSES),
  /** The set that deals. */
  from: v.string(),
  oldScheme: scheme,
  newScheme: scheme,
  address: v.string(),
  kind: v.picklist(['primary', 'device', 'delegate']),
  transcript: v.string(),
  leaves: v.boolean(),
  name: v.string(),
  policy: v.nullable(policySchema),
  /** Whether the key that goes on is the set's registered one. */
  registered: v.boolean(),
})
export type ReshareFacts = v.InferOutput<typeof reshareFacts>

const body = v.strictObject({
  ceremonyId: uuid,
  purpose: v.picklist(PURPOSES),
  setId: uuid,
  newSetId: uuid,
  newScheme: scheme,
  dealers: v.pipe(v.array(party), v.minLength(2), v.maxLength(5)),
  sealingKey: exactBytes(32),
  dealings: messages(3),
  subShares,
  deviceKey: v.optional(deviceKey),
  proofs: v.optional(v.pipe(v.array(bytes(128)), v.maxLength(3)), []),
  joinId: v.optional(uuid),
  policy: v.optional(policySchema),
})
type Body = v.InferOutput<typeof body>
const beginAnswer = v.object({
  dealings: v.array(base64url),
  subShares: sealedAnswer,
  transcript: base64url,
  expiresAt: time,
})

/** A key that is not registered proves that it holds what it deals; a registered one is known to. */
const authorize = async (
  call: Call,
  walletId: string,
  source: Source,
  body: Body,
  operation: Operation,
): Promise<Authority> => {
  const { deviceKey, setId, newSetId } = body
  if (deviceKey) return authorizeKey(call, deviceKey, operation, { walletId, setId: newSetId })
  const authority = await authorizeKey(call, source.registeredKey, operation, { walletId, setId })
  if (source.row) checkRow(call, source.row, authority.device)
  return authority
}

/**
 * Who deals with which key: the set's own device key deals for C; another key is that of a new device, which proves each
 * share that it deals by.
 */
const checkDealers = (
  { purpose, dealers, deviceKey, proofs, ceremonyId, joinId }: Body,
  walletId: string,
  { from }: Source,
) => {
  const mine = dealers.filter(isFrame)
  const wrong = new RelayError(invalidRequest, { reason: 'dealers' })
  if (!deviceKey) {
    // Who adds a device by a device deals for another one, which has asked.
    if (mine.join() !== 'C' || proofs.length > 0 || purpose === 'replaceDevice') throw wrong
    if (isAdditional(purpose) !== (joinId !== undefined)) throw wrong
    return
  }
  if (purpose === 'refresh' || purpose === 'reshare' || joinId !== undefined) throw wrong
  if (mine.includes('C') || mine.length === 0 || proofs.length !== mine.length) throw wrong
  const context = Buffer.from(JSON.stringify(['keybay-dealer', ceremonyId, walletId, thumbprintOf(deviceKey)]))
  for (const [index, party] of mine.entries()) {
    const proof = proofs[index] ?? new Uint8Array()
    step(() => verifyShareProof(from, party, context, proof))
  }
}

/** On the row that the dealing is recorded on. */
const checkStill = (call: Call, row: SetRow, { device }: Authority, { deviceKey }: Body, { from }: Source): void => {
  if (!deviceKey) {
    checkRow(call, row, device)
    return
  }
  if (row.status === 'revoked') throw new RelayError(setRevoked)
  if (row.frozenAt !== null) throw new RelayError(walletFrozen)
  if (row.epoch !== from.epoch) throw new RelayError(epochMismatch, { epoch: row.epoch })
}

export const reshareBegin = route(
  {
    path: '/wallets/{walletId}/reshare/begin',
    summary: 'Trip 1 of 2: dealings of both sides. The new epoch is pending until the commit.',
    access: 'device',
    params: v.object({ walletId: uuid }),
    body,
    answer: beginAnswer,
    errors: [...reshareErrors, mfaRequired, ceremonyNotFound],
  },
  async (call, { params, body }) => {
    const { services, environment } = call
    const { walletId } = params
    const source = await sourceOf(call, walletId, body)
    const operation = { ...reshareOperation(body.purpose, source.scheme, body.newScheme), address: source.address }
    const authority = await authorize(call, walletId, source, body, operation)
    const { userId } = authority.session
    const key = { id: body.ceremonyId, environmentId: environment.id, userId, kind: 'reshare' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, 'dealt')
    if (repeat) return parse('answer', beginAnswer, repeat)
    if (before) throw new RelayError(ceremonyState)
    await services.limits.hit('dealings per wallet', walletId)
    const mfa = await demandMfa(call, authority.session, actionOf(body.purpose), operation)
    try {
      return await begin(call, { walletId, source, authority, body, mfa })
    } catch (error) {
      if (!(error instanceof CeremonyFault)) throw error
      if (body.deviceKey || !source.row) throw await countBadRestore(call, walletId, error)
      throw await countBadShare(call, authority, source.row, error)
    }
  },
)

interface Begin {
  readonly walletId: string
  readonly source: Source
  readonly authority: Authority
  readonly body: Body
  readonly mfa: string | undefined
}

const begin = async (call: Call, { walletId, source, authority, body, mfa }: Begin) => {
  const { services } = call
  const { row, join } = source
  checkDealers(body, walletId, source)
  const plan = planReshare({ ...body, walletId }, source.from, source.kind, source.scheme)
  const deals = plan.dealers.includes(services.party)
  if (deals && !row) throw new RelayError(walletNotFound)
  const dealt = await deal(call, {
    plan,
    share: deals && row ? openShare(services.envelope, row) : undefined,
    dealings: decodeAll(codecs.reshareDealing, body.dealings),
    boxes: body.subShares,
    sealingKey: join?.sealingKey ?? body.sealingKey,
    forPeer: {
      record: row?.record,
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
    kind: kindOf(body.purpose, source.kind),
    transcript,
    leaves: dealt.share === undefined,
    name: join?.name ?? '',
    // A further device may do no more than the one that it comes from.
    policy: body.policy ?? row?.policy ?? null,
    registered: !body.deviceKey && !join,
  }
  const write = async (tx: Transaction): Promise<void> => {
    await endOthers(tx, body)
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
      stateOf(dealt, plan),
    )
    if (join && services.party === 'R1') await giveToJoin(tx, join.joinId, body, facts.from, answer)
  }
  if (!row) await once(call, authority, write)
  else {
    const entry = dealtEntry(call, authority, source, body)
    const check = (now: SetRow) => {
      checkStill(call, now, authority, body, source)
      return { values: {}, entry }
    }
    await services.sets.change(row, check, authority.nonce, write)
  }
  return answer
}

/** A set has one resharing at a time. What R2 has confirmed waits for R1's word all the same. */
const endOthers = async (tx: Transaction, { newSetId, ceremonyId }: Body): Promise<void> => {
  const others = and(eq(ceremonies.setId, newSetId), eq(ceremonies.step, 'dealt'), ne(ceremonies.id, ceremonyId))
  await tx.update(ceremonies).set({ step: 'ended', state: null }).where(others)
}

/** The new device has seen none of it: it gets the dealings of all, and what is sealed for it. */
const giveToJoin = async (
  tx: Transaction,
  joinId: string,
  body: Body,
  from: string,
  { dealings, subShares, transcript }: v.InferOutput<typeof beginAnswer>,
): Promise<void> => {
  const { ceremonyId, dealers } = body
  const sealedByDevice = body.subShares.filter(({ to }) => isFrame(to)).map(one => ({ ...one, box: toText(one.box) }))
  const dealt = {
    from,
    dealers,
    dealings: [...body.dealings.map(toText), ...dealings],
    subShares: [...sealedByDevice, ...subShares],
    transcript,
  }
  await tx.update(joins).set({ ceremonyId, dealt }).where(eq(joins.id, joinId))
}

const dealtEntry = (
  call: Call,
  { session, device, operation }: Authority,
  { from }: Source,
  body: Body,
): AuditEntry => ({
  at: call.services.clock.now(),
  what: 'dealt',
  userId: session.userId,
  sessionId: session.sessionId,
  tokenId: session.jti,
  device: device.thumbprint,
  epoch: from.epoch,
  hash: operation.hash,
  purpose: body.purpose,
  newSet: body.newSetId,
})
