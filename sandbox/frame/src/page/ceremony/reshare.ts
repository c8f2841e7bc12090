/** Reshares a key, verified, with the relays: same key, new shares. First of two round trips, before the commit. */
import { fromBase64Url, type ThresholdSignatureScheme, toBase64Url, utf8 } from '@keybay/kernel/spec'
import {
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
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import {
  type Authority,
  type Device,
  type DevicePublicKey,
  dealtSchema,
  epochContext,
  openSubShares,
  publicJwk,
  type RelayClient,
  thumbprint,
} from '@keybay/waas/relay-client'
import { copySubShare, frameParties, type RelayKeys, sealFor } from './boxes.js'

export interface Resharing {
  readonly relay: RelayClient
  readonly keys: RelayKeys
  readonly authority: Authority
  readonly device: Device
  /** Share of the current set: the device's, or the backup's if a new device deals. */
  readonly share: KeyShare
  readonly purpose: 'refresh' | 'reshare' | 'replaceDevice' | 'addDevice'
  /** The device's key. The device proves that it holds the share it deals with; a share of the backup makes its key a new one. */
  readonly deviceKey: CryptoKeyPair
  readonly newScheme: ThresholdSignatureScheme
  readonly next: SetPlan
  /** Hash of the policy of the new set. */
  readonly policyHash: Uint8Array
}
export interface Reshared {
  /** New shares of the frame's parties. The caller erases them. */
  readonly shares: readonly KeyShare[]
  /** base64url */
  readonly transcript: string
  /** Proofs, for the commit, that each new share is held. */
  readonly proofs: readonly string[]
  /** ms since epoch */
  readonly expiresAt: number
}

/** Returns the dealers: the party of the share, and relays of the old set up to its threshold. */
export function getDealers({ set, party }: KeyShare): readonly Party[] {
  const relays = set.parties.filter(party => party === 'R1' || party === 'R2')
  return [party, ...relays.slice(0, set.threshold - 1)]
}

/** Proves the share of a dealer together with its device key, so that no relay can name another key to the other relay. */
export async function proveDealer(
  share: KeyShare,
  { ceremonyId, walletId }: Pick<SetPlan, 'ceremonyId' | 'walletId'>,
  device: DevicePublicKey,
): Promise<string> {
  const context = utf8(JSON.stringify(['keybay-dealer', ceremonyId, walletId, await thumbprint(device)]))
  return toBase64Url(proveShare(share, context))
}

export async function reshareWithRelays(resharing: Resharing): Promise<Reshared> {
  const { relay, keys, authority, device, share, purpose, newScheme, next, policyHash } = resharing
  const plan: ResharePlan = { from: share.set, dealers: getDealers(share), next, policyHash }
  const pair = sealingKeyPair()
  const { dealing, subShares } = reshareDeal(plan, share)
  const boxes = sealFor(next, keys, subShares)
  const deviceKey = await publicJwk(resharing.deviceKey)
  const answer = await relay.post({
    path: `/wallets/${device.walletId}/reshare/begin`,
    body: {
      ceremonyId: next.ceremonyId,
      purpose,
      setId: share.set.setId,
      newSetId: next.setId,
      newScheme,
      dealers: plan.dealers,
      policyHash: toBase64Url(policyHash),
      sealingKey: toBase64Url(pair.publicKey),
      dealings: [toBase64Url(encode(codecs.reshareDealing, dealing))],
      subShares: boxes,
      proofs: [await proveDealer(share, next, deviceKey)],
      ...(share.party !== 'C' && { deviceKey }),
    },
    answer: dealtSchema,
    authority,
    device,
  })
  const dealings = [dealing, ...answer.dealings.map(text => decode(codecs.reshareDealing, fromBase64Url(text)))]
  const received = [...subShares.map(copySubShare), ...openSubShares(next, pair, answer.subShares)]
  erase(pair.secretKey, ...subShares.map(({ secret }) => secret))
  const relayTranscript = fromBase64Url(answer.transcript)
  const shares = frameParties(next).map(party => {
    const ownSubShares = received.filter(({ to }) => to === party)
    const outcome = reshareReceive(plan, party, dealings, ownSubShares)
    confirmTranscript(outcome.transcript, relayTranscript, 'R1')
    return outcome.share
  })
  erase(...received.map(({ secret }) => secret))
  const context = epochContext(next.ceremonyId, answer.transcript)
  return {
    shares,
    transcript: answer.transcript,
    proofs: shares.map(share => toBase64Url(proveShare(share, context))),
    expiresAt: answer.expiresAt,
  }
}
