/** Creating a wallet: by distributed key generation, or dealt by the frame from both sides' entropy. Three round trips. */
import {
  acceptDeal,
  codecs,
  decode,
  dkgDeal,
  dkgFinish,
  dkgOpen,
  dkgStart,
  encode,
  entropyOpen,
  entropyStart,
  type SetPlan,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { type Authority, authorizeKey } from '../authority/authorize.js'
import { publicJwk, sha256 } from '../authority/keys.js'
import { type Operation, operationHash } from '../authority/session.js'
import { verifyToken } from '../authority/token.js'
import { finishCreation, finishedAnswer, finishedStep, shownAnswer } from '../ceremonies/finish.js'
import { answered, askPeer, CEREMONY_LIFETIME, once } from '../ceremonies/flow.js'
import {
  asBadShare,
  type Box,
  boxField,
  boxTextField,
  decodeAll,
  openSubShares,
  seal,
  sealSubShare,
  step,
  textOf,
} from '../ceremonies/messages.js'
import { isFrame, isRelay, primaryPlan } from '../ceremonies/plan.js'
import type { Call } from '../http/call.js'
import {
  badShare,
  ceremonyNotFound,
  ceremonyState,
  invalidDeviceSignature,
  invalidRequest,
  invalidSessionSignature,
  RelayError,
  tooManyEmbeddedWalletsForUser,
  tooManyRequests,
  transcriptMismatch,
  unauthorized,
  walletExists,
} from '../http/errors.js'
import {
  base64url,
  bytes,
  deviceKey,
  exactBytes,
  messages,
  scheme,
  sealedAnswer,
  subShares,
  time,
  toBytes,
  toText,
  uuid,
} from '../http/fields.js'
import { parse, type Route, route } from '../http/route.js'
import type { CeremonyRow } from '../store/ceremonies.js'

const authorityErrors = [unauthorized, invalidSessionSignature, invalidDeviceSignature] as const

/** Kept beside the state; public. */
const factsSchema = v.object({
  chainName: v.literal('SOL'),
  scheme,
  exportable: v.boolean(),
  walletId: v.string(),
  setId: v.string(),
  sealingKey: v.string(),
  /** That the relays deal each other. */
  boxes: v.optional(v.array(boxField), []),
})
export type CreationFacts = v.InferOutput<typeof factsSchema>

const creationOperation = (chainName: string, scheme: string, exportable: boolean): Operation => ({
  op: 'createWalletAccount',
  hash: operationHash('createWalletAccount', chainName, scheme, exportable),
})

/** Whether the user may have one more. @throws RelayError */
export const checkRoom = async ({ services, environment }: Call, { session }: Authority): Promise<void> => {
  await services.limits.hit('creations per user', `${environment.id} ${session.userId}`)
  const { embeddedWallets } = await services.api.settings(environment)
  if ((await services.wallets.count(environment.id, session.userId)) >= embeddedWallets.mostPerUser)
    throw new RelayError(tooManyEmbeddedWalletsForUser)
}

const begin = route(
  {
    path: '/wallets/create/begin',
    summary: 'Trip 1 of 3: commitments of both sides.',
    access: 'device',
    body: v.strictObject({
      ceremonyId: uuid,
      walletId: uuid,
      setId: uuid,
      chainName: v.literal('SOL'),
      scheme,
      exportable: v.boolean(),
      deviceKey,
      sealingKey: exactBytes(32),
      commitments: messages(3),
    }),
    answer: v.object({ commitments: v.array(base64url), expiresAt: time }),
    errors: [...authorityErrors, walletExists, tooManyEmbeddedWalletsForUser, tooManyRequests],
  },
  async (call, { body }) => {
    const { services, environment } = call
    const { ceremonyId, walletId, setId, chainName, scheme, exportable } = body
    const authority = await authorizeKey(call, body.deviceKey, creationOperation(chainName, scheme, exportable), body)
    const { userId } = authority.session
    const key = { id: ceremonyId, environmentId: environment.id, userId, kind: 'create' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, 'begun')
    if (repeat) return parse('answer', answerSchema, repeat)
    if (before) throw new RelayError(ceremonyState)
    await checkRoom(call, authority)
    if (await services.wallets.exists(walletId)) throw new RelayError(walletExists)
    const plan = primaryPlan(body, 0, scheme)
    const started = exportable ? ofEntropy(entropyStart(plan, services.party)) : ofDkg(dkgStart(plan, services.party))
    const peers = isWithPeer(call, plan) ? (await askPeer(call, commitmentsAnswer)).commitments : []
    const expiresAt = services.clock.now() + CEREMONY_LIFETIME
    const answer = { commitments: [started.message, ...peers], expiresAt }
    const facts = { chainName, scheme, exportable, walletId, setId, sealingKey: toText(body.sealingKey) }
    await once(call, authority, tx =>
      services.ceremonies.begin(
        tx,
        {
          ...key,
          walletId,
          setId,
          deviceKey: body.deviceKey,
          step: 'begun',
          bodyHash: sha256(call.rawBody),
          answer: JSON.stringify(answer),
          facts,
          expiresAt,
        },
        started.state,
      ),
    )
    return answer
  },
)
const commitmentsAnswer = v.object({ commitments: v.array(v.string()) })
const answerSchema = v.object({ commitments: v.array(v.string()), expiresAt: v.number() })

const ofDkg = ({ state, message }: ReturnType<typeof dkgStart>) => ({
  state: encode(codecs.dkgStarted, state),
  message: toText(encode(codecs.dkgCommitment, message)),
})
const ofEntropy = ({ state, message }: ReturnType<typeof entropyStart>) => ({
  state: encode(codecs.entropyState, state),
  message: toText(encode(codecs.entropyCommitment, message)),
})

/** Whether R1 has R2 to ask. */
const isWithPeer = ({ services }: Call, { parties }: Pick<SetPlan, 'parties'>): boolean =>
  services.party === 'R1' && parties.includes('R2')

const factsOf = (row: CeremonyRow): CreationFacts => v.parse(factsSchema, row.facts)

/** A ceremony that the caller began, and the caller's authority for the next step. */
const goOn = async (call: Call, ceremonyId: string) => {
  const { services, environment } = call
  // The operation is the ceremony's, so the session signature is checked against it; who asks is the token's word.
  const { userId } = await verifyToken(call)
  const row = await services.ceremonies.get({ id: ceremonyId, environmentId: environment.id, userId, kind: 'create' })
  const facts = factsOf(row)
  const operation = creationOperation(facts.chainName, facts.scheme, facts.exportable)
  const authority = await authorizeKey(call, v.parse(publicJwk, row.deviceKey), operation, row)
  const plan = primaryPlan({ ...row, ceremonyId }, 0, facts.scheme)
  return { row, facts, authority, plan }
}

const opened = v.object({ openings: v.array(v.string()), subShares: v.array(boxTextField) })

const open = route(
  {
    path: '/wallets/create/open',
    summary: 'Trip 2 of 3: openings, and what the relays deal.',
    access: 'device',
    body: v.strictObject({ ceremonyId: uuid, commitments: messages(5), openings: messages(3) }),
    answer: v.object({ openings: v.array(base64url), subShares: sealedAnswer }),
    errors: [...authorityErrors, ceremonyNotFound, ceremonyState, badShare],
  },
  async (call, { body }) => {
    const { row, facts, authority, plan } = await goOn(call, body.ceremonyId)
    const repeat = await answered(call, authority, row, 'opened')
    if (repeat) return parse('answer', opened, repeat)
    if (row.step !== 'begun') throw new RelayError(ceremonyState)
    try {
      return await (facts.exportable ? openEntropy : openDkg)(call, { row, facts, authority, plan, ...body })
    } catch (error) {
      throw asBadShare(error)
    }
  },
)

interface Opening {
  readonly row: CeremonyRow
  readonly facts: CreationFacts
  readonly authority: Authority
  readonly plan: SetPlan
  readonly commitments: readonly Uint8Array[]
  readonly openings: readonly Uint8Array[]
}

const openEntropy = async (call: Call, { row, facts, authority, plan, commitments }: Opening) => {
  const { services } = call
  const state = decode(codecs.entropyState, services.ceremonies.state(row))
  const opening = step(() => entropyOpen(state, decodeAll(codecs.entropyCommitment, commitments)))
  const mine = seal(
    plan,
    toBytes(facts.sealingKey),
    { from: services.party, to: 'C' },
    encode(codecs.entropyOpening, opening),
  )
  const peers = isWithPeer(call, plan) ? (await askPeer(call, opened)).subShares : []
  const answer = { openings: [], subShares: [textOf(mine), ...peers] }
  const values = { step: 'opened', bodyHash: sha256(call.rawBody), answer: JSON.stringify(answer) }
  // The relay's entropy has done its part: nothing of it is needed any more.
  await once(call, authority, tx => services.ceremonies.advance(tx, row, values, encode(codecs.setPlan, plan)))
  return answer
}

const openDkg = async (call: Call, { row, facts, authority, plan, commitments, openings }: Opening) => {
  const { services, fromPeer } = call
  const started = decode(codecs.dkgStarted, services.ceremonies.state(row))
  const { state, message: own } = step(() => dkgOpen(started, decodeAll(codecs.dkgCommitment, commitments)))
  const ownText = toText(encode(codecs.dkgOpening, own))
  const given = decodeAll(codecs.dkgOpening, openings)
  const fromR1 = fromPeer ? parse('peer', peerOpenings, fromPeer.extra).openings : []
  const fromR2 = isWithPeer(call, plan)
    ? await askPeer(call, opened, { openings: [ownText] })
    : { openings: [], subShares: [] }
  const others = decodeAll(codecs.dkgOpening, [...fromR1, ...fromR2.openings].map(toBytes))
  const dealt = step(() => dkgDeal(state, [...given, own, ...others]))
  const { sealingKey } = plan.parties.includes('R2') ? await services.peer.info() : { sealingKey: undefined }
  const boxes = dealt.message.flatMap(one => {
    const key = isRelay(one.to) ? sealingKey : toBytes(facts.sealingKey)
    return key ? [sealSubShare(plan, key, one)] : []
  })
  const isForFrame = ({ to }: { readonly to: (typeof boxes)[number]['to'] }) => isFrame(to)
  const between = [
    ...boxes.filter(box => !isForFrame(box)).map(textOf),
    ...fromR2.subShares.filter(box => !isForFrame(box)),
  ]
  const toPeer = fromPeer ? boxes.map(textOf) : boxes.filter(isForFrame).map(textOf)
  const answer = {
    openings: [ownText, ...fromR2.openings],
    subShares: [...toPeer, ...fromR2.subShares.filter(isForFrame)],
  }
  const values = {
    step: 'opened',
    bodyHash: sha256(call.rawBody),
    answer: JSON.stringify(answer),
    facts: { ...facts, sealingKey: facts.sealingKey, boxes: between },
  }
  await once(call, authority, tx => services.ceremonies.advance(tx, row, values, encode(codecs.dkgDealt, dealt.state)))
  return answer
}
const peerOpenings = v.object({ openings: v.array(v.string()) })

const finish = route(
  {
    path: '/wallets/create/finish',
    summary: 'Trip 3 of 3: the frame’s dealings; the wallet is there.',
    access: 'device',
    body: v.strictObject({
      ceremonyId: uuid,
      package: v.optional(bytes(1024)),
      subShares,
      transcript: exactBytes(32),
    }),
    answer: finishedAnswer,
    errors: [...authorityErrors, ceremonyNotFound, ceremonyState, badShare, transcriptMismatch, walletExists],
  },
  async (call, { body }) => {
    const { services } = call
    const { row, facts, authority, plan } = await goOn(call, body.ceremonyId)
    const repeat = await answered(call, authority, row, finishedStep(call))
    if (repeat) return shownAnswer(call, row.walletId, repeat)
    if (row.step !== 'opened') throw new RelayError(ceremonyState)
    try {
      const made = facts.exportable
        ? acceptCreated(call, plan, body.package, body.subShares)
        : joinCreated(call, plan, row, facts, body.subShares)
      return await finishCreation(call, {
        ...made,
        authority,
        scheme: facts.scheme,
        deviceKey: row.deviceKey,
        transcript: body.transcript,
        toPeer: { subShares: made.toPeer.map(textOf) },
        save: (tx, values, state) => services.ceremonies.advance(tx, row, values, state),
      })
    } catch (error) {
      throw asBadShare(error)
    }
  },
)

/** Dealt by the frame. @throws CeremonyFault */
export const acceptCreated = (
  { services }: Call,
  plan: SetPlan,
  dealt: Uint8Array | undefined,
  boxes: readonly Box[],
) => {
  if (!dealt) throw new RelayError(invalidRequest)
  const [given] = decodeAll(codecs.dealPackage, [dealt])
  const [subShare] = openSubShares(plan, services.keys.sealing, services.party, boxes)
  if (!given || !subShare) throw new RelayError(invalidRequest)
  const outcome = step(() => acceptDeal(plan, services.party, given, subShare))
  return { outcome, origin: 'seed' as const, sealedSeed: given.sealedSeed, toPeer: [] }
}

/** Dealt by all. @throws CeremonyFault */
const joinCreated = (
  { services, fromPeer }: Call,
  plan: SetPlan,
  row: CeremonyRow,
  facts: CreationFacts,
  boxes: readonly Box[],
) => {
  const fromR1 = fromPeer ? parse('peer', peerSubShares, fromPeer.extra).subShares : []
  const all = [...boxes, ...fromR1, ...facts.boxes]
  const received = openSubShares(plan, services.keys.sealing, services.party, all)
  const state = decode(codecs.dkgDealt, services.ceremonies.state(row))
  const outcome = step(() => dkgFinish(state, received))
  const toPeer = facts.boxes.filter(({ to }) => to !== services.party)
  return { outcome, origin: 'dkg' as const, sealedSeed: undefined, toPeer }
}
const peerSubShares = v.object({ subShares: v.array(boxField) })

export const createRoutes: readonly Route[] = [begin, open, finish]
