/** Plan of a ceremony: the set to create, and the parties of each side. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { additionalSharing, type Curve, type Party, SCHEMES, type SetPlan } from '@keybay/waas/mpc'

export interface PlanIds {
  readonly ceremonyId: string
  readonly walletId: string
  readonly setId: string
}

function getIds({ ceremonyId, walletId, setId }: PlanIds): PlanIds {
  return { ceremonyId, walletId, setId }
}

export function primaryPlan(
  ids: PlanIds,
  epoch: number,
  scheme: ThresholdSignatureScheme,
  curve: Curve = 'ed25519',
): SetPlan {
  return { ...getIds(ids), epoch, curve, ...SCHEMES[scheme] }
}

export function additionalPlan(ids: PlanIds, epoch: number, scheme: ThresholdSignatureScheme, curve: Curve): SetPlan {
  return { ...getIds(ids), epoch, curve, ...additionalSharing(scheme) }
}

export function isRelay(party: Party): party is 'R1' | 'R2' {
  return party === 'R1' || party === 'R2'
}

export function isFrame(party: Party): boolean {
  return !isRelay(party)
}
