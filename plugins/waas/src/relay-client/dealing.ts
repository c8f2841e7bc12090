/** Takes the share that another party dealt for this device or server. */
import {
  fromBase64Url,
  KeybayError,
  sha256,
  type ThresholdSignatureScheme,
  toBase64Url,
  utf8,
} from '@keybay/kernel/spec'
import {
  additionalSharing,
  codecs,
  confirmTranscript,
  decode,
  erase,
  type KeyShare,
  openPrivate,
  proveShare,
  type ResharePlan,
  reshareReceive,
  type SealingKeyPair,
  type SetPlan,
  type ShareSet,
  type SubShare,
  sealContext,
  solanaAddress,
  subShareCodec,
} from '../mpc/index.js'
import type { SealedSubShare, Taken } from './answers.js'
import { relayAnswerWrong } from './client.js'

export interface SetIds {
  readonly walletId: string
  readonly setId: string
  readonly ceremonyId: string
  readonly scheme: ThresholdSignatureScheme
}

export function planAdditionalSet({ scheme, ...ids }: SetIds, { curve }: Pick<SetPlan, 'curve'>): SetPlan {
  return { ...ids, epoch: 0, curve, ...additionalSharing(scheme) }
}

/** Opens a box. The caller erases the bytes. */
export function openBox(plan: SetPlan, pair: SealingKeyPair, { from, to, box: sealed }: SealedSubShare): Uint8Array {
  return openPrivate(pair, sealContext(plan, from, to), fromBase64Url(sealed))
}

/** Opens boxes, and rejects one that holds the sub-share of another party. */
export function openSubShares(
  plan: SetPlan,
  pair: SealingKeyPair,
  boxes: readonly SealedSubShare[],
): readonly SubShare[] {
  return boxes.map(sealed => {
    const bytes = openBox(plan, pair, sealed)
    const subShare = decode(subShareCodec(plan.curve), bytes)
    erase(bytes)
    if (subShare.from === sealed.from && subShare.to === sealed.to) return subShare
    erase(subShare.secret)
    throw new KeybayError(relayAnswerWrong, { detail: `a box of ${sealed.from}` })
  })
}

/** Hashes a policy as records and resharings name it: its JSON in the relays' order of fields, or `null`. 32 bytes. */
export function hashPolicy(policy: object | null | undefined): Promise<Uint8Array> {
  return sha256(utf8(JSON.stringify(policy ?? null)))
}

/** Returns the context in which a new share is proved. */
export function epochContext(ceremonyId: string, transcript: string): Uint8Array {
  return utf8(JSON.stringify(['keybay-epoch', ceremonyId, transcript]))
}

export interface TakenShare {
  readonly share: KeyShare
  /** The last request, which makes the set. */
  readonly commit: { readonly path: string; readonly body: object }
  /** ms */
  readonly expiresIn: number
}
/** Minimum time for which the relay keeps a ceremony. */
const LIFETIME_MS = 600_000

/** Takes a share. @throws KeybayError of mpc for a wrong dealing; `frame_relay_answer_wrong` for another wallet's */
export function takeDealt(
  { ceremonyId = '', from = '', dealers = [], policyHash = '', dealings = [], subShares = [], transcript = '' }: Taken,
  ownSet: Omit<SetIds, 'ceremonyId'> & {
    readonly address: string
    /** How the wallet's chain writes a key. */
    readonly addressOf?: (set: ShareSet) => string
    readonly pair: SealingKeyPair
  },
): TakenShare {
  const { walletId, setId, scheme, address, addressOf = solanaAddress, pair } = ownSet
  const set = decode(codecs.shareSet, fromBase64Url(from))
  if (addressOf(set) !== address) throw new KeybayError(relayAnswerWrong, { detail: 'dealt from another wallet' })
  const next = planAdditionalSet({ walletId, setId, ceremonyId, scheme }, set)
  const plan: ResharePlan = { from: set, dealers, next, policyHash: fromBase64Url(policyHash) }
  const received = openSubShares(
    next,
    pair,
    subShares.filter(({ to }) => to === 'C'),
  )
  const receivedDealings = dealings.map(text => decode(codecs.reshareDealing, fromBase64Url(text)))
  const { share, transcript: ours } = reshareReceive(plan, 'C', receivedDealings, received)
  confirmTranscript(ours, fromBase64Url(transcript), 'R1')
  erase(pair.secretKey)
  const proof = proveShare(share, epochContext(ceremonyId, transcript))
  return {
    share,
    commit: {
      path: `/wallets/${walletId}/reshare/commit`,
      body: { ceremonyId, transcript, proofs: [toBase64Url(proof)] },
    },
    expiresIn: LIFETIME_MS,
  }
}
