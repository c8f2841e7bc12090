/** A share set: the values derived from its public package, and the check that a share belongs to it. */
import { equalBytes } from '@keybay/kernel/spec'
import { digest, erase } from './bytes.js'
import { fault, type MpcStep, orFault, partyUnexpected, planInvalid, setsMixed, shareInvalid } from './errors.js'
import { getGroup } from './group.js'
import { PARTIES, type Party, partyNumber } from './parties.js'
import type { KeyShare, SetPlan, ShareSet } from './types.js'
import { encode } from './wire/codec.js'
import { setPlan, shareSet } from './wire/set-codecs.js'

/** Returns the group's public key: for ed25519 the 32 bytes of the address. */
export function groupKey(set: ShareSet): Uint8Array {
  const [key] = set.commitments
  if (!key) throw fault(planInvalid, 'plan')
  return key
}

/** Returns the public key of one party's share. */
export function verifyingShare(set: ShareSet, party: Party): Uint8Array {
  return getGroup(set.curve).evaluate(set.commitments, BigInt(partyNumber(party)))
}

/** Returns 32 bytes that identify this plan. */
export function planHash(plan: SetPlan): Uint8Array {
  return digest('plan', encode(setPlan, plan))
}

/** Returns 32 bytes that identify this set, its epoch and its commitments. */
export function setHash(set: ShareSet): Uint8Array {
  return digest('set', encode(shareSet, set))
}

export function samePlan(a: SetPlan, b: SetPlan): boolean {
  return equalBytes(planHash(a), planHash(b))
}

/** Returns one message from each of these parties and from no other, in the order of their identifiers. */
export function oneFromEach<T>(
  parties: readonly Party[],
  messages: readonly T[],
  from: (message: T) => Party,
  step: MpcStep,
): readonly T[] {
  const stranger = messages.find(message => !parties.includes(from(message)))
  if (stranger) throw fault(partyUnexpected, step, from(stranger))
  return PARTIES.filter(party => parties.includes(party)).map(party => {
    const [message, second] = messages.filter(message => from(message) === party)
    if (message === undefined || second !== undefined) throw fault(partyUnexpected, step, party)
    return message
  })
}

/** Checks that the secret belongs to this party of this set. @throws `mpc_share_invalid` naming the party */
export function checkShare({ set, party, secret }: KeyShare, step: MpcStep = 'accept-deal'): void {
  const { Fn, base } = getGroup(set.curve)
  if (!set.parties.includes(party)) throw fault(partyUnexpected, step, party)
  const point = orFault(() => base(Fn.fromBytes(secret)), shareInvalid, step, party)
  if (!equalBytes(point, verifyingShare(set, party))) throw fault(shareInvalid, step, party)
}

/** Checks that all shares are of one set and epoch. @throws `mpc_sets_mixed` naming the first other party */
export function checkOneSet(shares: readonly KeyShare[], step: MpcStep): void {
  const [first] = shares
  if (!first) return
  const hash = setHash(first.set)
  const other = shares.find(({ set }) => !equalBytes(setHash(set), hash))
  if (other) throw fault(setsMixed, step, other.party)
}

/** Overwrites the secret; the share is useless afterwards. */
export function eraseShare(...shares: readonly KeyShare[]): void {
  erase(...shares.map(({ secret }) => secret))
}
