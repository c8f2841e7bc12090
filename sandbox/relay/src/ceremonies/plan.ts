/** What a ceremony is to make, and what of it each side plays. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { additionalSharing, type Curve, type Party, SCHEMES, type SetPlan } from '@keybay/waas/mpc'

export interface PlanIds {
  readonly ceremonyId: string
  readonly walletId: string
  readonly setId: string
}
const idsOf = ({ ceremonyId, walletId, setId }: PlanIds): PlanIds => ({ ceremonyId, walletId, setId })

export const primaryPlan = (
  ids: PlanIds,
  epoch: number,
  scheme: ThresholdSignatureScheme,
  curve: Curve = 'ed25519',
): SetPlan => ({
  ...idsOf(ids),
  epoch,
  curve,
  ...SCHEMES[scheme],
})
export const additionalPlan = (
  ids: PlanIds,
  epoch: number,
  scheme: ThresholdSignatureScheme,
  curve: Curve,
): SetPlan => ({
  ...idsOf(ids),
  epoch,
  curve,
  ...additionalSharing(scheme),
})

export const isRelay = (party: Party): party is 'R1' | 'R2' => party === 'R1' || party === 'R2'
export const isFrame = (party: Party): boolean => !isRelay(party)
