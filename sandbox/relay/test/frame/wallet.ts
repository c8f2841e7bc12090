/** State that a frame keeps of a wallet, and its sealing of dealings for relays. */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  decode,
  enableSecp256k1,
  encode,
  type KeyShare,
  openPrivate,
  type Party,
  SCHEMES,
  type SealingKeyPair,
  type SetPlan,
  type SubShare,
  sealContext,
  sealPrivate,
  subShareCodec,
} from '@keybay/waas/mpc'
import type { Person } from '../world.js'
import { b64, type Target, unb64 } from './request.js'

enableSecp256k1()

export interface Wallet {
  readonly person: Person
  readonly walletId: string
  readonly setId: string
  readonly address: string
  readonly scheme: ThresholdSignatureScheme
  readonly device: KeyObject
  /** Shares of the frame's parties. */
  readonly shares: readonly KeyShare[]
  readonly epoch: number
  readonly record: string
}

export function getShare(wallet: Pick<Wallet, 'shares'>, party: Party): KeyShare {
  const share = wallet.shares.find(share => share.party === party)
  if (!share) throw new Error(`no share of ${party}`)
  // Copy the share: a consumer erases it.
  return { ...share, secret: share.secret.slice() }
}

export function isFrame(party: Party) {
  return party === 'C' || party === 'B1' || party === 'B2'
}
export type Box = { from: Party; to: Party; box: string }

export async function relayKeys(target: Target): Promise<Record<string, Uint8Array>> {
  const party = await (await fetch(`${target.next().internalUrl}/sdk/local/party`)).json()
  return { R1: unb64(party.sealingKey), ...(party.peer && { R2: unb64(party.peer.sealingKey) }) }
}

export function sealFor(plan: SetPlan, keys: Record<string, Uint8Array>, subShares: readonly SubShare[]): Box[] {
  return subShares.flatMap(subShare => {
    const key = keys[subShare.to]
    if (!key) return []
    return [
      {
        from: subShare.from,
        to: subShare.to,
        box: b64(
          sealPrivate(key, sealContext(plan, subShare.from, subShare.to), encode(subShareCodec(plan.curve), subShare)),
        ),
      },
    ]
  })
}

export function openBoxes(plan: SetPlan, pair: SealingKeyPair, boxes: readonly Box[]): SubShare[] {
  return boxes.map(({ from, to, box }) =>
    decode(subShareCodec(plan.curve), openPrivate(pair, sealContext(plan, from, to), unb64(box))),
  )
}

export function newPlan(scheme: ThresholdSignatureScheme, curve: SetPlan['curve'] = 'ed25519'): SetPlan {
  return { ceremonyId: randomUUID(), walletId: randomUUID(), setId: randomUUID(), epoch: 0, curve, ...SCHEMES[scheme] }
}
