/** A share set: what follows from its public package, and whether a share belongs to it. */
import { equalBytes } from '@keybay/kernel/spec'
import { digest, erase } from './bytes.js'
import { fault, type MpcStep, orFault, partyUnexpected, planInvalid, setsMixed, shareInvalid } from './errors.js'
import { groupOf } from './group.js'
import { PARTIES, type Party, partyNumber } from './parties.js'
import type { KeyShare, SetPlan, ShareSet } from './types.js'
import { encode } from './wire/codec.js'
import { setPlan, shareSet } from './wire/set-codecs.js'

/** The group's public key: of an ed25519 wallet the 32 bytes of its address. */
export function groupKey(set: ShareSet): Uint8Array {
  const [key] = set.commitments
  if (!key) throw fault(planInvalid, 'plan')
  return key
}

/** The public key of one party's share. */
export function verifyingShare(set: ShareSet, party: Party): Uint8Array {
  return groupOf(set.curve).evaluate(set.commitments, BigInt(partyNumber(party)))
}

/** 32 bytes that name this plan and no other. */
export function planHash(plan: SetPlan): Uint8Array {
  return digest('plan', encode(setPlan, plan))
}

/** 32 bytes that name this set, its epoch and its commitments. */
export function setHash(set: ShareSet): Uint8Array {
  return digest('set', encode(shareSet, set))
}

export function samePlan(a: SetPlan, b: SetPlan): boolean {
  return equalBytes(planHash(a), planHash(b))
}

/** One message from each of these parties and from nobody else, in the order of their identifiers. */
export function oneFromEach<T>(
  parties: readonly Party[],
  messages: readonly T[],
  from: (message: T) => Party,
  step: MpcStep,
): readonly T[] {
  const stranger = messages.find(message => !parties.includes(from(message)))
  if (stranger) throw fault(partyUnexpected, step, from(stranger))
  return PARTIES.filter(party => parties.includes(party)).map(party => {
    const [message, second] = messages.filter(one => from(one) === party)
    if (message === undefined || second !== undefined) throw fault(partyUnexpected, step, party)
    return message
  })
}

/**
 * Does the secret belong to this party of this set?
 * @throws `mpc_share_invalid` naming the party.
 */
export function checkShare({ set, party, secret }: KeyShare, step: MpcStep = 'accept-deal'): void {
  const { Fn, base } = groupOf(set.curve)
  if (!set.parties.includes(party)) throw fault(partyUnexpected, step, party)
  const point = orFault(() => base(Fn.fromBytes(secret)), shareInvalid, step, party)
  if (!equalBytes(point, verifyingShare(set, party))) throw fault(shareInvalid, step, party)
}

/**
 * All of one set and epoch?
 * @throws `mpc_sets_mixed` naming the first party whose share is of another.
 */
export function checkOneSet(shares: readonly KeyShare[], step: MpcStep): void {
  const [first] = shares
  if (!first) return
  const hash = setHash(first.set)
  const other = shares.find(({ set }) => !equalBytes(setHash(set), hash))
  if (other) throw fault(setsMixed, step, other.party)
}

/** Overwrites the secret; the share is of no use afterwards. */
export function eraseShare(...shares: readonly KeyShare[]): void {
  erase(...shares.map(({ secret }) => secret))
}
