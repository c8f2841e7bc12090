/** Runs one relay's part of a resharing: deals if it is a dealer, and receives if it will hold a share. */
import {
  codecs,
  encode,
  erase,
  eraseShare,
  type KeyShare,
  type ReshareDealing,
  type ResharePlan,
  reshareDeal,
  reshareReceive,
  reshareTranscript,
  type SubShare,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { toBytes, toText } from '../http/fields.js'
import { type Call, parse } from '../http/route.js'
import { askSetPeer } from './flow.js'
import {
  type Box,
  boxField,
  boxTextField,
  decodeAll,
  encodeAll,
  openSubShares,
  sealSubShare,
  step,
  toBoxText,
} from './messages.js'
import { isFrame, isRelay } from './plan.js'

export interface Dealing {
  readonly plan: ResharePlan
  /** Share of this party if it is a dealer; erased here. */
  readonly share: KeyShare | undefined
  /** Dealings of the frame. */
  readonly dealings: readonly ReshareDealing[]
  readonly boxes: readonly Box[]
  /** X25519 key of the frame's new parties. */
  readonly sealingKey: Uint8Array
  /** Data that R2 needs for its own checks. */
  readonly forPeer: object
  readonly mfa: string | undefined
}
export interface Dealt {
  /** Dealings of the relays, and what they deal to the frame's parties (at R2: to R1 too). */
  readonly answer: {
    readonly dealings: readonly string[]
    readonly subShares: readonly v.InferOutput<typeof boxTextField>[]
    readonly transcript: string
  }
  /** Pending share; undefined for a party that leaves. */
  readonly share: KeyShare | undefined
}
const peerDealt = v.object({ dealings: v.array(v.string()), subShares: v.array(boxTextField), transcript: v.string() })
const fromR1 = v.object({ dealings: v.array(v.string()), subShares: v.array(boxField) })

export async function deal(call: Call, dealing: Dealing): Promise<Dealt> {
  const { services, fromPeer } = call
  const { plan, share, boxes } = dealing
  const ownDeal = share && ownDealing(plan, share)
  const sealed = ownDeal ? await sealAll(call, dealing, ownDeal.subShares) : []
  const ownTexts = ownDeal ? encodeAll(codecs.reshareDealing, [ownDeal.dealing]) : []
  const handed = fromPeer ? parse('peer', fromR1, fromPeer.extra) : { dealings: [], subShares: [] }
  const withPeer = !fromPeer && (plan.dealers.includes('R2') || plan.next.parties.includes('R2'))
  const peerResponse = withPeer
    ? await askSetPeer(
        call,
        plan.next.walletId,
        peerDealt,
        { ...dealing.forPeer, dealings: ownTexts, subShares: sealed.filter(({ to }) => to === 'R2').map(toBoxText) },
        dealing.mfa,
      )
    : { dealings: [], subShares: [], transcript: undefined }
  const others = decodeAll(codecs.reshareDealing, [...handed.dealings, ...peerResponse.dealings].map(toBytes))
  const all = [...dealing.dealings, ...(ownDeal ? [ownDeal.dealing] : []), ...others]
  const fromR2 = peerResponse.subShares.map(({ from, to, box }) => ({ from, to, box: toBytes(box) }))
  const received = [
    ...openSubShares(plan.next, services.keys.sealingPairs, services.party, [...boxes, ...handed.subShares, ...fromR2]),
    ...(ownDeal?.subShares.filter(({ to }) => to === services.party) ?? []),
  ]
  const outcome = plan.next.parties.includes(services.party)
    ? step(() => reshareReceive(plan, services.party, all, received))
    : undefined
  if (ownDeal) erase(...ownDeal.subShares.map(({ secret }) => secret))
  const transcript = toText(outcome?.transcript ?? step(() => reshareTranscript(plan, all)))
  const subShares = fromPeer
    ? sealed.map(toBoxText)
    : [...sealed.map(toBoxText), ...peerResponse.subShares].filter(({ to }) => isFrame(to))
  return { answer: { dealings: [...ownTexts, ...peerResponse.dealings], subShares, transcript }, share: outcome?.share }
}

function ownDealing(plan: ResharePlan, share: KeyShare) {
  try {
    return step(() => reshareDeal(plan, share))
  } finally {
    eraseShare(share)
  }
}

async function sealAll(
  { services }: Call,
  { plan, sealingKey }: Dealing,
  subShares: readonly SubShare[],
): Promise<readonly Box[]> {
  const others = subShares.filter(({ to }) => to !== services.party)
  const peer = others.some(({ to }) => isRelay(to)) ? await services.peer.info() : undefined
  return others.flatMap(other => {
    const key = isRelay(other.to) ? peer?.sealingKey : sealingKey
    return key ? [sealSubShare(plan.next, key, other)] : []
  })
}

/** Encodes the state for the database: the pending share, or the mark of a party that leaves. */
export function getState({ share }: Dealt, { next }: ResharePlan): Uint8Array {
  if (!share) return encode(codecs.setPlan, next)
  const bytes = encode(codecs.keyShare, share)
  eraseShare(share)
  return bytes
}
