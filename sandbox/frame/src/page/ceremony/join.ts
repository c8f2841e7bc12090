/** Dealing a set for another device or a delegate, and taking what was dealt for this one. */
import { KeybayError } from '@keybay/kernel'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  additionalSharing,
  codecs,
  confirmTranscript,
  decode,
  encode,
  erase,
  type KeyShare,
  type Party,
  proveShare,
  type ResharePlan,
  reshareDeal,
  reshareReceive,
  type SealingKeyPair,
  type SetPlan,
  type ShareSet,
  solanaAddress,
} from '../../mpc/index.js'
import { fromBase64Url, toBase64Url } from '../bytes.js'
import { relayAnswerWrong } from '../errors.js'
import type { Frame } from '../frame.js'
import { type Dealt as DealtForOther, dealtSchema, type Join, type Taken } from '../relay/answers.js'
import type { Authority, Device } from '../relay/client.js'
import { openSubShares, sealFor } from './boxes.js'
import { dealersOf, epochContext } from './reshare.js'

interface Ids {
  readonly walletId: string
  readonly setId: string
  readonly ceremonyId: string
  readonly scheme: ThresholdSignatureScheme
}

function planOf({ scheme, ...ids }: Ids, { curve }: Pick<SetPlan, 'curve'>): SetPlan {
  return {
    ...ids,
    epoch: 0,
    curve,
    ...additionalSharing(scheme),
  }
}

/** For whom: a device that asked, or a server that the operator lists, with what it may do. */
type Recipient =
  | ({ readonly purpose: 'addDevice' } & Pick<Join, 'joinId' | 'setId' | 'sealingKey'>)
  | { readonly purpose: 'delegate'; readonly setId: string; readonly sealingKey: string; readonly policy: object }

export interface DealingForOther {
  readonly frame: Pick<Frame, 'relay' | 'relayKeys'>
  readonly authority: Authority
  readonly device: Device
  /** Of the primary set. */
  readonly share: KeyShare
  readonly scheme: ThresholdSignatureScheme
  readonly recipient: Recipient
}

/**
 * The other one's part is sealed for it: neither the relay nor this frame ever has its share.
 *
 * @returns all that it needs to take its share; nothing in it is secret, but for who can open the boxes
 */
export async function dealForOther({
  frame,
  authority,
  device,
  share,
  scheme,
  recipient,
}: DealingForOther): Promise<DealtForOther> {
  const { relay } = frame
  const { purpose: _, ...own } = recipient
  const ceremonyId = crypto.randomUUID()
  const next = planOf({ walletId: device.walletId, setId: recipient.setId, ceremonyId, scheme }, share.set)
  const plan: ResharePlan = { from: share.set, dealers: dealersOf(share), next }
  const keys = new Map<Party, Uint8Array>([...(await frame.relayKeys()), ['C', fromBase64Url(recipient.sealingKey)]])
  const { dealing, subShares } = reshareDeal(plan, share)
  const boxes = sealFor(next, keys, subShares)
  erase(...subShares.map(({ secret }) => secret))
  const { setId, sealingKey, ...more } = own
  const dealings = [toBase64Url(encode(codecs.reshareDealing, dealing))]
  const theirs = await relay.post({
    path: `/wallets/${device.walletId}/reshare/begin`,
    body: {
      ceremonyId,
      purpose: recipient.purpose,
      setId: share.set.setId,
      newSetId: setId,
      newScheme: scheme,
      dealers: plan.dealers,
      sealingKey,
      dealings,
      subShares: boxes,
      ...more,
    },
    answer: dealtSchema,
    authority,
    device,
  })
  return {
    ceremonyId,
    from: toBase64Url(encode(codecs.shareSet, share.set)),
    dealers: plan.dealers,
    dealings: [...dealings, ...theirs.dealings],
    subShares: [...boxes.filter(({ to }) => to === 'C'), ...theirs.subShares],
    transcript: theirs.transcript,
  }
}

export interface Dealt {
  readonly share: KeyShare
  /** The last request, which makes the set. */
  readonly commit: { readonly path: string; readonly body: object }
  /** ms */
  readonly expiresIn: number
}
/** How long the relay keeps a ceremony at least, ms. */
const LIFETIME = 600_000

/** @throws KeybayError of mpc for a wrong dealing; `frame_relay_answer_wrong` for another wallet's */
export function takeDealt(
  { ceremonyId = '', from = '', dealers = [], dealings = [], subShares = [], transcript = '' }: Taken,
  own: Omit<Ids, 'ceremonyId'> & {
    readonly address: string
    /** How the wallet's chain writes a key. */
    readonly addressOf?: (set: ShareSet) => string
    readonly pair: SealingKeyPair
  },
): Dealt {
  const { walletId, setId, scheme, address, addressOf = solanaAddress, pair } = own
  const set = decode(codecs.shareSet, fromBase64Url(from))
  if (addressOf(set) !== address) throw new KeybayError(relayAnswerWrong, { detail: 'dealt from another wallet' })
  const next = planOf({ walletId, setId, ceremonyId, scheme }, set)
  const plan: ResharePlan = { from: set, dealers, next }
  const received = openSubShares(
    next,
    pair,
    subShares.filter(({ to }) => to === 'C'),
  )
  const given = dealings.map(text => decode(codecs.reshareDealing, fromBase64Url(text)))
  const { share, transcript: mine } = reshareReceive(plan, 'C', given, received)
  confirmTranscript(mine, fromBase64Url(transcript), 'R1')
  erase(pair.secretKey)
  const proof = proveShare(share, epochContext(ceremonyId, transcript))
  return {
    share,
    commit: {
      path: `/wallets/${walletId}/reshare/commit`,
      body: { ceremonyId, transcript, proofs: [toBase64Url(proof)] },
    },
    expiresIn: LIFETIME,
  }
}
