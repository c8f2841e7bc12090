/**
 * Decisions of a relay about share sets. Plain data in and out: the caller has verified every signature, and writes
 * what a decision names in one transaction.
 */
import type { Party } from '../parties.js'

export type SetKind = 'primary' | 'device' | 'delegate'

/** A relay's knowledge of a share set. */
export interface RelaySet {
  readonly setId: string
  readonly walletId: string
  readonly kind: SetKind
  readonly epoch: number
  readonly status: 'active' | 'revoked'
  /** False once the relay has erased its share: the set was revoked, or the relay has left it. */
  readonly hasShare: boolean
  readonly isFrozen: boolean
  /** base64url SHA-256 of the policy's JSON. */
  readonly policyHash: string
}

/** A resharing, or a creation, as a relay stores it between its steps. */
export interface RelayCeremony {
  readonly ceremonyId: string
  readonly environmentId: string
  readonly walletId: string
  /** Set to make, or to bring to its next epoch. */
  readonly setId: string
  /** `confirmed`: R2 waits for R1's record. */
  readonly step: 'dealt' | 'confirmed' | 'done' | 'ended'
  readonly isAdditional: boolean
  readonly transcript: string
  /** Hash of the policy that the user has signed for the set. */
  readonly policyHash: string
  /** False for a delegate, whose policy is not that of the set that deals. */
  readonly inheritsPolicy: boolean
  /** True when this relay gets no share. */
  readonly leaves: boolean
}

/** Claims of R1's signed record of a set. */
export interface SetRecord {
  readonly setId: string
  readonly walletId: string
  readonly epoch: number
  readonly status: 'active' | 'revoked'
  readonly transcript: string
  readonly policyHash: string
  /** Number of the record in the history of its wallet. */
  readonly generation: number
  readonly parties: readonly Party[]
}

export type RefusalCode =
  | 'ceremony_state'
  | 'epoch_mismatch'
  | 'invalid_device_signature'
  | 'not_enabled'
  | 'policy_mismatch'
  | 'set_not_found'
  | 'too_many_sets'
  | 'set_revoked'
  | 'wallet_exists'
  | 'wallet_frozen'
export interface Refusal {
  readonly action: 'refuse'
  readonly code: RefusalCode
  /** Epoch of this relay. */
  readonly epoch: number
}

export type RecordDecision =
  /** The relay knows the record, or it does not concern the relay. */
  | { readonly action: 'keep'; readonly epoch: number }
  /** Takes the pending share, erases the share before, ends the ceremony. */
  | { readonly action: 'adopt' }
  /** Erases the share: the new epoch has none for this relay. */
  | { readonly action: 'leave' }
  /** Keeps the record, which is newer and of the same epoch, as after a change of the policy. */
  | { readonly action: 'renew' }
  /** Erases the share for good. */
  | { readonly action: 'revoke' }
  /** Ends the ceremonies of a set that was revoked before it became active here. */
  | { readonly action: 'end' }
  /** Ends the ceremonies that make a set, except that of the record: the set was made by it. */
  | { readonly action: 'endOthers' }
  /** Takes the record's epoch, whose share the relay does not have. */
  | { readonly action: 'lose' }
  /** The relay has lost writes: the wallet signs nothing. */
  | { readonly action: 'freeze' }
  | Refusal

export interface RecordState {
  readonly party: Party
  /** True when the other relay shows the record: it repairs what a frame's record can only freeze. */
  readonly isFromPeer: boolean
  readonly set: RelaySet | undefined
  /** Generation of the set's record at this relay. */
  readonly generation: number | undefined
  /** Ceremony that the record names, of the same user, if it is not over. */
  readonly ceremony: RelayCeremony | undefined
}

function refuse(code: RefusalCode, set: RelaySet | undefined): Refusal {
  return { action: 'refuse', code, epoch: set?.epoch ?? 0 }
}

/** Decides about a record that R1 has signed. */
export function onRecord(
  { party, isFromPeer, set, generation = -1, ceremony }: RecordState,
  record: SetRecord,
): RecordDecision {
  if (record.status === 'revoked' && !set) return { action: 'end' }
  if (set && record.status === 'revoked' && set.status === 'active' && record.epoch >= set.epoch)
    return { action: 'revoke' }
  if (set && record.epoch === set.epoch && record.generation > generation)
    // R1 signs its records itself, so one that it does not know is one that it has lost.
    return { action: party === 'R1' && !isFromPeer ? 'freeze' : 'renew' }
  if (set && record.epoch <= set.epoch) return { action: 'keep', epoch: set.epoch }
  if (ceremony?.step === 'confirmed') {
    if (ceremony.transcript !== record.transcript) return refuse('epoch_mismatch', set)
    if (ceremony.policyHash !== record.policyHash) return refuse('policy_mismatch', set)
    return { action: ceremony.leaves ? 'leave' : 'adopt' }
  }
  if (!set) return isFromPeer ? { action: 'endOthers' } : refuse('epoch_mismatch', undefined)
  // A relay that has left a set misses nothing as long as no record gives it a share.
  const isMember = record.parties.includes(party)
  if (!set.hasShare && !isMember) return { action: 'keep', epoch: set.epoch }
  if (isFromPeer && set.status === 'active') return { action: isMember ? 'lose' : 'leave' }
  if (isFromPeer) return { action: 'keep', epoch: set.epoch }
  return { action: 'freeze' }
}

/** Returns the policy that a relay enforces after it adopts: its own, unless it had none for the set. */
export function adoptedPolicy<P>(set: RelaySet | undefined, own: P, agreed: P): P {
  return set?.status === 'active' ? own : agreed
}

/** Rules of a set at a relay, which signs what all of them allow. */
export interface EnforcedPolicy<P> {
  /** Policy that the user has set at this relay. */
  readonly policy: P
  /** Policies that only R1's records name. They hold until the user sets a policy again. */
  readonly unconfirmed: readonly P[]
}

export interface PolicyOrder<P> {
  /** Returns true if the first policy signs nothing that the second refuses. */
  readonly isWithin: (next: P, now: P) => boolean
  /** Policy that signs nothing. */
  readonly nothing: P
}

/** Maximum number of unconfirmed policies, so that a lying R1 cannot make a row grow without end. */
export const MAX_UNCONFIRMED = 8

/**
 * Returns what a relay enforces after the peer has shown a later record. Its policy needs R1's signature alone, so at R2
 * it can make the rules stricter and never looser: R2 takes a stricter policy, and adds one that it cannot compare. One
 * more than R2 keeps would have to replace another, so R2 then signs nothing until the user sets a policy.
 */
export function recordedPolicy<P>(
  party: Party,
  { policy, unconfirmed }: EnforcedPolicy<P>,
  recorded: P,
  { isWithin, nothing }: PolicyOrder<P>,
): EnforcedPolicy<P> {
  if (party === 'R1') return { policy: recorded, unconfirmed: [] }
  const others = unconfirmed.filter(other => !isWithin(recorded, other))
  if (isWithin(recorded, policy)) return { policy: recorded, unconfirmed: others }
  const isCovered = [policy, ...unconfirmed].some(known => isWithin(known, recorded))
  if (isCovered) return { policy, unconfirmed }
  return { policy, unconfirmed: others.length < MAX_UNCONFIRMED ? [...others, recorded] : [nothing] }
}

/** Maximum number of active share sets of a wallet. */
export const MAX_ACTIVE_SETS = 50

export interface BeginState {
  /** Set that deals; undefined at a relay that has no share of it. */
  readonly source: RelaySet | undefined
  /** Hash of the policy that this relay would enforce. */
  readonly policyHash: string
  /** Number of active sets of the wallet. */
  readonly activeSets: number
  /** Set that this relay knows by the ID of the set to make, of any wallet. */
  readonly taken: RelaySet | undefined
  /** Ceremonies with the ID of the set to make. */
  readonly ceremonies: readonly RelayCeremony[]
}
export interface BeginRequest {
  readonly ceremonyId: string
  readonly environmentId: string
  readonly walletId: string
  /** Set to make. */
  readonly setId: string
  /** Epoch of the set that deals. */
  readonly fromEpoch: number
  readonly isAdditional: boolean
  /** Hash that the device has signed. */
  readonly policyHash: string
}
export type BeginDecision = { readonly action: 'deal'; readonly ends: readonly string[] } | Refusal

/** Decides about a dealing, and names the ceremonies that it replaces. */
export function onBegin(
  { source, policyHash, activeSets, taken, ceremonies }: BeginState,
  request: BeginRequest,
): BeginDecision {
  const refusal = checkSource(source, request.fromEpoch)
  if (refusal) return refusal
  if (policyHash !== request.policyHash) return refuse('policy_mismatch', source)
  if (request.isAdditional && activeSets >= MAX_ACTIVE_SETS) return refuse('too_many_sets', source)
  if (request.isAdditional ? taken : taken && taken.walletId !== request.walletId) return refuse('wallet_exists', taken)
  const ends = ceremonies.filter(
    ({ ceremonyId, environmentId, walletId, setId, step }) =>
      step === 'dealt' &&
      ceremonyId !== request.ceremonyId &&
      environmentId === request.environmentId &&
      walletId === request.walletId &&
      setId === request.setId,
  )
  return { action: 'deal', ends: ends.map(({ ceremonyId }) => ceremonyId) }
}

function checkSource(source: RelaySet | undefined, fromEpoch: number): Refusal | undefined {
  if (!source) return undefined
  if (source.isFrozen) return refuse('wallet_frozen', source)
  if (source.status === 'revoked') return refuse('set_revoked', source)
  return source.epoch === fromEpoch ? undefined : refuse('epoch_mismatch', source)
}

export interface CommitState {
  readonly ceremony: RelayCeremony
  readonly source: RelaySet | undefined
  readonly fromEpoch: number
  /** Number of active sets of the wallet. */
  readonly activeSets: number
  /** True when the set that deals has a share for this relay. */
  readonly isDealer: boolean
}
export type CommitDecision = { readonly action: 'commit' } | Refusal

/** Decides about the proofs of the new shares: R1 makes the new epoch the only one, R2 waits for R1's record. */
export function onCommit({ ceremony, source, fromEpoch, activeSets, isDealer }: CommitState): CommitDecision {
  if (ceremony.step !== 'dealt') return refuse('ceremony_state', source)
  if (ceremony.isAdditional && activeSets >= MAX_ACTIVE_SETS) return refuse('too_many_sets', source)
  // A relay that has left the set knows only earlier epochs; it may come back.
  const hasLeft = !isDealer && source?.isFrozen === false
  if (hasLeft) return { action: 'commit' }
  const refusal = checkSource(source, fromEpoch)
  if (refusal) return refusal
  const isSame = !source || !ceremony.inheritsPolicy || source.policyHash === ceremony.policyHash
  return isSame ? { action: 'commit' } : refuse('policy_mismatch', source)
}

/** Signer of an abort: the key that goes on with the ceremony, or the key of a set of the wallet. */
export type AbortSigner = 'ceremony' | Pick<RelaySet, 'walletId' | 'kind'>

/** Decides about an abort. The primary set's key may end every ceremony of its wallet. */
export function onAbort(
  ceremony: RelayCeremony,
  signer: AbortSigner,
): { readonly action: 'end' } | { readonly action: 'keep' } | Refusal {
  const isPrimary = signer !== 'ceremony' && signer.kind === 'primary' && signer.walletId === ceremony.walletId
  if (signer !== 'ceremony' && !isPrimary) return refuse('not_enabled', undefined)
  if (ceremony.step === 'ended') return { action: 'keep' }
  return ceremony.step === 'dealt' ? { action: 'end' } : refuse('ceremony_state', undefined)
}

export interface RevokeState {
  readonly set: RelaySet | undefined
  /** Ceremonies of the wallet with the ID of the set. */
  readonly ceremonies: readonly RelayCeremony[]
}
export type RevokeDecision =
  | { readonly action: 'revoke' }
  /** Ends the ceremony, and creates the set as revoked: its ID is used up. */
  | { readonly action: 'revokeWaiting'; readonly ceremonyId: string }
  | Refusal

/** Decides about a revocation by the user: of an active set, or of one that waits for its holder. */
export function onRevoke({ set, ceremonies }: RevokeState): RevokeDecision {
  // Other sets are made from the primary set, which can be replaced but never revoked.
  if (set?.kind === 'primary') return refuse('not_enabled', set)
  if (set) return set.status === 'revoked' ? refuse('set_revoked', set) : { action: 'revoke' }
  const waiting = ceremonies.find(({ step, isAdditional }) => step === 'dealt' && isAdditional)
  return waiting ? { action: 'revokeWaiting', ceremonyId: waiting.ceremonyId } : refuse('set_not_found', undefined)
}

/** Decides about a new policy of a set. */
export function onSetPolicy(set: RelaySet): { readonly action: 'set' } | Refusal {
  if (set.isFrozen) return refuse('wallet_frozen', set)
  return set.status === 'revoked' ? refuse('set_revoked', set) : { action: 'set' }
}
