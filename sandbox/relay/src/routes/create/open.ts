/** Wallet creation, trip 2 of 3: openings, and the relays' dealings. */
import { codecs, decode, dkgDeal, dkgOpen, encode, entropyOpen, type SetPlan } from '@keybay/waas/mpc'
import * as v from 'valibot'
import type { Authority } from '../../authority/authorize.js'
import { answered, askPeer, once } from '../../ceremonies/flow.js'
import { asBadShare, boxTextField, decodeAll, seal, sealSubShare, step, toBoxText } from '../../ceremonies/messages.js'
import { isFrame, isRelay } from '../../ceremonies/plan.js'
import { sha256 } from '../../crypto/jwk.js'
import { RelayError } from '../../http/errors.js'
import { base64url, messages, sealedAnswer, toBytes, toText, uuid } from '../../http/fields.js'
import { type Call, parse, route } from '../../http/route.js'
import type { CeremonyRow } from '../../store/ceremonies.js'
import { authorityErrors, type CreationFacts, goOn, isSeeded, isWithPeer } from './creation.js'

const opened = v.object({ openings: v.array(v.string()), subShares: v.array(boxTextField) })

export const open = route({
  path: '/wallets/create/open',
  summary: 'Trip 2 of 3: openings, and what the relays deal.',
  body: v.strictObject({ ceremonyId: uuid, commitments: messages(5), openings: messages(3) }),
  answer: v.object({ openings: v.array(base64url), subShares: sealedAnswer }),
  errors: [...authorityErrors, 'ceremony_not_found', 'ceremony_state', 'bad_share'],
  run: async (call, { body }) => {
    const { row, facts, authority, plan } = await goOn(call, body.ceremonyId)
    const repeat = await answered(call, authority, row, 'opened')
    if (repeat) return parse('answer', opened, repeat)
    if (row.step !== 'begun') throw new RelayError('ceremony_state')
    try {
      return await (isSeeded(facts) ? openEntropy : openDkg)(call, { row, facts, authority, plan, ...body })
    } catch (error) {
      throw asBadShare(error)
    }
  },
})

interface Opening {
  readonly row: CeremonyRow
  readonly facts: CreationFacts
  readonly authority: Authority
  readonly plan: SetPlan
  readonly commitments: readonly Uint8Array[]
  readonly openings: readonly Uint8Array[]
}

async function openEntropy(call: Call, { row, facts, authority, plan, commitments }: Opening) {
  const { services } = call
  const state = decode(codecs.entropyState, services.ceremonies.state(row))
  const opening = step(() => entropyOpen(state, decodeAll(codecs.entropyCommitment, commitments)))
  const sealedOpening = seal(
    plan,
    toBytes(facts.sealingKey),
    { from: services.party, to: 'C' },
    encode(codecs.entropyOpening, opening),
  )
  const peers = isWithPeer(call, plan) ? (await askPeer(call, opened)).subShares : []
  const answer = { openings: [], subShares: [toBoxText(sealedOpening), ...peers] }
  const values = { step: 'opened', bodyHash: sha256(call.rawBody), answer: JSON.stringify(answer) }
  // Stores only the plan: the relay's entropy is no longer needed.
  await once(call, authority, tx => services.ceremonies.advance(tx, row, values, encode(codecs.setPlan, plan)))
  return answer
}

async function openDkg(call: Call, { row, facts, authority, plan, commitments, openings }: Opening) {
  const { services, fromPeer } = call
  const started = decode(codecs.dkgStarted, services.ceremonies.state(row))
  const { state, message: ownOpening } = step(() => dkgOpen(started, decodeAll(codecs.dkgCommitment, commitments)))
  const ownText = toText(encode(codecs.dkgOpening, ownOpening))
  const frameOpenings = decodeAll(codecs.dkgOpening, openings)
  const fromR1 = fromPeer ? parse('peer', peerOpenings, fromPeer.extra).openings : []
  const fromR2 = isWithPeer(call, plan)
    ? await askPeer(call, opened, { openings: [ownText] })
    : { openings: [], subShares: [] }
  const others = decodeAll(codecs.dkgOpening, [...fromR1, ...fromR2.openings].map(toBytes))
  const dealt = step(() => dkgDeal(state, [...frameOpenings, ownOpening, ...others]))
  const { sealingKey } = plan.parties.includes('R2') ? await services.peer.info() : { sealingKey: undefined }
  const boxes = dealt.message.flatMap(subShare => {
    const key = isRelay(subShare.to) ? sealingKey : toBytes(facts.sealingKey)
    return key ? [sealSubShare(plan, key, subShare)] : []
  })
  const isForFrame = ({ to }: { readonly to: (typeof boxes)[number]['to'] }) => isFrame(to)
  const between = [
    ...boxes.filter(box => !isForFrame(box)).map(toBoxText),
    ...fromR2.subShares.filter(box => !isForFrame(box)),
  ]
  const toPeer = fromPeer ? boxes.map(toBoxText) : boxes.filter(isForFrame).map(toBoxText)
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
