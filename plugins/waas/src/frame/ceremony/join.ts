/** Dealing a set for another device, and taking what was dealt for this one. */
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
  solanaAddress,
} from '../../mpc/index.js'
import { fromBase64Url, toBase64Url } from '../bytes.js'
import { relayAnswerWrong } from '../errors.js'
import type { Frame } from '../frame.js'
import { dealtSchema, type Join, type Taken } from '../relay/answers.js'
import type { Authority, Device } from '../relay/client.js'
import { openSubShares, sealFor } from './boxes.js'
import { dealersOf, epochContext } from './reshare.js'

interface Ids {
  readonly walletId: string
  readonly setId: string
  readonly ceremonyId: string
  readonly scheme: ThresholdSignatureScheme
}
const planOf = ({ scheme, ...ids }: Ids): SetPlan => ({
  ...ids,
  epoch: 0,
  curve: 'ed25519',
  ...additionalSharing(scheme),
})

export interface DealingForDevice {
  readonly frame: Pick<Frame, 'relay' | 'relayKeys'>
  readonly authority: Authority
  readonly device: Device
  /** Of the primary set. */
  readonly share: KeyShare
  readonly scheme: ThresholdSignatureScheme
  readonly join: Join
}

/** The new device's part is sealed for it: neither the relay nor this frame ever has its share. */
export const dealForDevice = async ({
  frame,
  authority,
  device,
  share,
  scheme,
  join,
}: DealingForDevice): Promise<void> => {
  const { relay } = frame
  const ceremonyId = crypto.randomUUID()
  const next = planOf({ walletId: device.walletId, setId: join.setId, ceremonyId, scheme })
  const plan: ResharePlan = { from: share.set, dealers: dealersOf(share), next }
  const keys = new Map<Party, Uint8Array>([...(await frame.relayKeys()), ['C', fromBase64Url(join.sealingKey)]])
  const { dealing, subShares } = reshareDeal(plan, share)
  const boxes = sealFor(next, keys, subShares)
  erase(...subShares.map(({ secret }) => secret))
  await relay.post({
    path: `/wallets/${device.walletId}/reshare/begin`,
    body: {
      ceremonyId,
      purpose: 'addDevice',
      setId: share.set.setId,
      newSetId: join.setId,
      newScheme: scheme,
      dealers: plan.dealers,
      sealingKey: join.sealingKey,
      dealings: [toBase64Url(encode(codecs.reshareDealing, dealing))],
      subShares: boxes,
      joinId: join.joinId,
    },
    answer: dealtSchema,
    authority,
    device,
  })
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
export const takeDealt = (
  { ceremonyId = '', from = '', dealers = [], dealings = [], subShares = [], transcript = '' }: Taken,
  own: Omit<Ids, 'ceremonyId'> & { readonly address: string; readonly pair: SealingKeyPair },
): Dealt => {
  const { walletId, setId, scheme, address, pair } = own
  const set = decode(codecs.shareSet, fromBase64Url(from))
  if (solanaAddress(set) !== address) throw new KeybayError(relayAnswerWrong, { detail: 'dealt from another wallet' })
  const next = planOf({ walletId, setId, ceremonyId, scheme })
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
