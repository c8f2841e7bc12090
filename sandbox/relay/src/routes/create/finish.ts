/** Wallet creation, trip 3 of 3: takes the frame's dealings and creates the wallet. */
import { acceptDeal, codecs, decode, dkgFinish, type SetPlan } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { finishCreation, finishedAnswer, finishedStep, reportErrors, shownAnswer } from '../../ceremonies/finish.js'
import { answered } from '../../ceremonies/flow.js'
import { asBadShare, type Box, boxField, decodeAll, openSubShares, step, toBoxText } from '../../ceremonies/messages.js'
import { proofs } from '../../ceremonies/proofs.js'
import { RelayError } from '../../http/errors.js'
import { bytes, exactBytes, subShares, uuid } from '../../http/fields.js'
import { type Call, parse, route } from '../../http/route.js'
import type { CeremonyRow } from '../../store/ceremonies.js'
import { authorityErrors, type CreationFacts, goOn, isSeeded } from './creation.js'

export const finish = route({
  path: '/wallets/create/finish',
  summary: 'Trip 3 of 3: the frame’s dealings; the wallet is there.',
  body: v.strictObject({
    ceremonyId: uuid,
    package: v.optional(bytes(1024)),
    subShares,
    transcript: exactBytes(32),
    proofs,
  }),
  answer: finishedAnswer,
  errors: [
    ...authorityErrors,
    'embedded_wallets_disabled',
    'ceremony_not_found',
    'ceremony_state',
    'bad_share',
    'transcript_mismatch',
    ...reportErrors,
    'wallet_exists',
    'too_many_embedded_wallets_for_user',
  ],
  run: async (call, { body }) => {
    const { services } = call
    const { row, facts, authority, plan } = await goOn(call, body.ceremonyId)
    const repeat = await answered(call, authority, row, finishedStep(call))
    if (repeat) return shownAnswer(call, row.walletId, repeat)
    if (row.step !== 'opened') throw new RelayError('ceremony_state')
    try {
      const made = isSeeded(facts)
        ? acceptCreated(call, plan, body.package, body.subShares)
        : joinCreated(call, plan, row, facts, body.subShares)
      return await finishCreation(call, {
        ...made,
        authority,
        chainName: facts.chainName,
        scheme: facts.scheme,
        first: facts.first,
        deviceKey: row.deviceKey,
        transcript: body.transcript,
        proofs: body.proofs,
        key: { id: row.id, environmentId: row.environmentId, userId: row.userId, kind: 'create' },
        expiresAt: row.expiresAt,
        toPeer: { subShares: made.toPeer.map(toBoxText) },
        // Keep the initial facts: the request may be repeated after a lost response.
        save: (tx, values, state) =>
          services.ceremonies.advance(tx, row, { ...values, facts: { ...row.facts, ...values.facts } }, state),
      })
    } catch (error) {
      throw asBadShare(error)
    }
  },
})

/** Accepts a share dealt by the frame. @throws CeremonyFault */
export function acceptCreated({ services }: Call, plan: SetPlan, dealt: Uint8Array | undefined, boxes: readonly Box[]) {
  if (!dealt) throw new RelayError('invalid_request')
  const [dealPackage] = decodeAll(codecs.dealPackage, [dealt])
  const [subShare] = openSubShares(plan, services.keys.sealingPairs, services.party, boxes)
  if (!dealPackage || !subShare) throw new RelayError('invalid_request')
  const outcome = step(() => acceptDeal(plan, services.party, dealPackage, subShare))
  return { outcome, origin: 'seed' as const, sealedSeed: dealPackage.sealedSeed, toPeer: [] }
}

/** Combines the dealings of all parties into a share. @throws CeremonyFault */
function joinCreated(
  { services, fromPeer }: Call,
  plan: SetPlan,
  row: CeremonyRow,
  facts: CreationFacts,
  boxes: readonly Box[],
) {
  const fromR1 = fromPeer ? parse('peer', peerSubShares, fromPeer.extra).subShares : []
  const all = [...boxes, ...fromR1, ...facts.boxes]
  const received = openSubShares(plan, services.keys.sealingPairs, services.party, all)
  const state = decode(codecs.dkgDealt, services.ceremonies.state(row))
  const outcome = step(() => dkgFinish(state, received))
  const toPeer = facts.boxes.filter(({ to }) => to !== services.party)
  return { outcome, origin: 'dkg' as const, sealedSeed: undefined, toPeer }
}
const peerSubShares = v.object({ subShares: v.array(boxField) })
