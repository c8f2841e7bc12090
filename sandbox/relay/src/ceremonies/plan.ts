/** Plan of a ceremony: the set to create, and the parties of each side. */
import type { MfaAction, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  additionalSharing,
  type Curve,
  type Party,
  type ResharePlan,
  SCHEMES,
  type SetPlan,
  sortParties,
} from '@keybay/waas/mpc'
import { operationHash } from '../authority/session.js'
import type { SetKind } from '../db/schema.js'
import { RelayError } from '../http/errors.js'

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

function additionalPlan(ids: PlanIds, epoch: number, scheme: ThresholdSignatureScheme, curve: Curve): SetPlan {
  return { ...getIds(ids), epoch, curve, ...additionalSharing(scheme) }
}

export function isRelay(party: Party): party is 'R1' | 'R2' {
  return party === 'R1' || party === 'R2'
}

export function isFrame(party: Party): boolean {
  return !isRelay(party)
}

export const PURPOSES = ['refresh', 'reshare', 'replaceDevice', 'addDevice', 'delegate'] as const
export type Purpose = (typeof PURPOSES)[number]

const OPERATIONS: { readonly [P in Purpose]: string } = {
  refresh: 'refreshWalletAccountShares',
  reshare: 'reshare',
  replaceDevice: 'replaceDevice',
  addDevice: 'addDevice',
  delegate: 'delegateKeyShares',
}

export function getAction(purpose: Purpose): MfaAction {
  return purpose === 'refresh' ? 'wallet.waas.refresh' : 'wallet.waas.reshare'
}

/** @param approved further facts that the user approved; empty for the delegate's own step, which approves nothing */
export function reshareOperation(
  purpose: Purpose,
  oldScheme: ThresholdSignatureScheme,
  newScheme: ThresholdSignatureScheme,
  approved: readonly string[] = [],
): { readonly op: string; readonly hash: string } {
  const op = OPERATIONS[purpose]
  return { op, hash: operationHash(op, ...(purpose === 'reshare' ? [oldScheme, newScheme] : approved)) }
}

export function isAdditional(purpose: Purpose): purpose is 'addDevice' | 'delegate' {
  return purpose === 'addDevice' || purpose === 'delegate'
}

export function getKind(purpose: Purpose, from: SetKind): SetKind {
  return purpose === 'addDevice' ? 'device' : purpose === 'delegate' ? 'delegate' : from
}

export interface ReshareRequest {
  readonly ceremonyId: string
  readonly purpose: Purpose
  readonly walletId: string
  readonly setId: string
  readonly newSetId: string
  readonly newScheme: ThresholdSignatureScheme
  readonly dealers: readonly Party[]
  readonly policyHash: Uint8Array
}

/** @param scheme the primary set's. @throws RelayError `invalid_request`, `not_enabled`, `policy_unsupported` */
export function planReshare(
  request: ReshareRequest,
  from: ResharePlan['from'],
  kind: SetKind,
  scheme: ThresholdSignatureScheme,
): ResharePlan {
  const { purpose, setId, newSetId, newScheme, dealers, policyHash } = request
  const wrong = (reason: string) => new RelayError('invalid_request', { reason })
  const isNew = isAdditional(purpose)
  if (isNew === (newSetId === setId)) throw wrong('newSetId')
  // A delegate or an additional device deals no shares to others and does not change how the wallet is shared.
  if (purpose !== 'refresh' && kind !== 'primary') throw new RelayError('not_enabled')
  if (purpose !== 'reshare' && newScheme !== scheme) throw wrong('newScheme')
  if (sortParties(dealers).join() !== dealers.join() || !dealers.includes('R1')) throw wrong('dealers')
  const ids = { ...request, setId: newSetId }
  const epoch = isNew ? 0 : from.epoch + 1
  // A delegate signs under a policy, and only Solana transactions have policies.
  if (purpose === 'delegate' && from.curve !== 'ed25519') throw new RelayError('policy_unsupported')
  const getPlan = isNew || kind !== 'primary' ? additionalPlan : primaryPlan
  const next = getPlan(ids, epoch, newScheme, from.curve)
  return { from, dealers, next, policyHash }
}
