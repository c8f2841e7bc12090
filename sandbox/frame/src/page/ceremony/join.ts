/** Deals a share set for another device or a delegate, and accepts a share that was dealt for this device. */
import { fromBase64Url, type ThresholdSignatureScheme, toBase64Url } from '@keybay/kernel/spec'
import { codecs, encode, erase, type KeyShare, type Party, type ResharePlan, reshareDeal } from '@keybay/waas/mpc'
import {
  type Authority,
  type Dealt as DealtForOther,
  type Device,
  dealtSchema,
  type Join,
  planAdditionalSet,
  publicJwk,
  type RelayClient,
} from '@keybay/waas/relay-client'
import { type RelayKeys, sealFor } from './boxes.js'
import { getDealers, proveDealer } from './reshare.js'

/** Recipient: a device that requested a share, or a server that the operator lists, with its policy. */
type Recipient =
  | ({ readonly purpose: 'addDevice' } & Pick<Join, 'joinId' | 'setId' | 'sealingKey'>)
  | {
      readonly purpose: 'delegate'
      readonly setId: string
      readonly sealingKey: string
      readonly policy: object
      /** True if R2 holds a share too. */
      readonly withR2: boolean
    }

export interface DealingForOther {
  readonly frame: { readonly relay: RelayClient; relayKeys(): Promise<RelayKeys> }
  readonly authority: Authority
  readonly device: Device
  readonly deviceKey: CryptoKeyPair
  readonly share: KeyShare
  readonly scheme: ThresholdSignatureScheme
  readonly recipient: Recipient
  /** Hash of the policy of the new set. */
  readonly policyHash: Uint8Array
}

/**
 * Deals a share set and seals the recipient's sub-shares for it: neither the relay nor this frame has its share.
 * @returns everything the recipient needs to take its share; only the recipient can open the secrets in it
 */
export async function dealForOther({
  frame,
  authority,
  device,
  deviceKey,
  share,
  scheme,
  recipient,
  policyHash,
}: DealingForOther): Promise<DealtForOther> {
  const { relay } = frame
  const { purpose: _, ...own } = recipient
  const ceremonyId = crypto.randomUUID()
  const { walletId } = device
  const withR2 = recipient.purpose === 'delegate' && recipient.withR2
  const next = planAdditionalSet({ walletId, setId: recipient.setId, ceremonyId, scheme, withR2 }, share.set)
  const plan: ResharePlan = { from: share.set, dealers: getDealers(share), next, policyHash }
  const keys = new Map<Party, Uint8Array>([...(await frame.relayKeys()), ['C', fromBase64Url(recipient.sealingKey)]])
  const proof = await proveDealer(share, next, await publicJwk(deviceKey))
  const { dealing, subShares } = reshareDeal(plan, share)
  const boxes = sealFor(next, keys, subShares)
  erase(...subShares.map(({ secret }) => secret))
  const { setId, sealingKey, ...more } = own
  const dealings = [toBase64Url(encode(codecs.reshareDealing, dealing))]
  const response = await relay.post({
    path: `/wallets/${walletId}/reshare/begin`,
    body: {
      ceremonyId,
      purpose: recipient.purpose,
      setId: share.set.setId,
      newSetId: setId,
      newScheme: scheme,
      dealers: plan.dealers,
      policyHash: toBase64Url(policyHash),
      sealingKey,
      dealings,
      proofs: [proof],
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
    policyHash: toBase64Url(policyHash),
    dealings: [...dealings, ...response.dealings],
    subShares: [...boxes.filter(({ to }) => to === 'C'), ...response.subShares],
    transcript: response.transcript,
  }
}
