/** Invariants of a world of share sets. Each function returns a sentence if a step broke its invariant. */
import type { SetState } from './states.js'
import { findTransition, type State, type Transition } from './table.js'
import {
  canSign,
  type Device,
  type FrameWorld,
  getName,
  getPackage,
  givesShare,
  heldBy,
  type Package,
  type RelayId,
  type World,
} from './world.js'

export type Invariant = (before: World, after: World) => string | undefined

const DEVICES: readonly Device[] = ['phone', 'laptop']
const RELAYS: readonly RelayId[] = ['R1', 'R2']
function isStep({ last }: World, ...events: readonly string[]): boolean {
  return last?.events.some(event => events.includes(event)) ?? false
}

/** Returns true if the user alone holds a threshold of the package's shares. */
function isHeldByUser(world: World, { id, parties, threshold, setId }: Package): boolean {
  if (setId !== 'primary') return false
  const hasC = DEVICES.some(device => heldBy(world[device]).includes(id))
  const backups = world.provider.includes(id) ? parties.filter(party => party.startsWith('B')).length : 0
  return (hasC ? 1 : 0) + backups >= threshold
}

function ownsKey(world: World): boolean {
  return Object.values(world.packages).some(of => isHeldByUser(world, of))
}

/** At most one package of a set can obtain the signature shares of all its relays. */
function oneEpochSigns(_: World, after: World): string | undefined {
  const signing = Object.values(after.packages).filter(of => canSign(after, of))
  const sets = signing.map(({ setId }) => setId)
  return new Set(sets).size === sets.length ? undefined : `two epochs sign: ${signing.map(({ id }) => id).join()}`
}

/** Returns true if the primary set's package can sign, or the user can restore it, once quarantines end. */
function isUsable(world: World, of: Package): boolean {
  if (of.setId !== 'primary') return false
  if (isHeldByUser(world, of)) return true
  const released = { ...world, R1: { ...world.R1, isQuarantined: false }, R2: { ...world.R2, isQuarantined: false } }
  const relays = of.parties.filter(
    party => (party === 'R1' || party === 'R2') && givesShare(released[party], of),
  ).length
  const hasC = DEVICES.some(device => heldBy(world[device]).includes(of.id))
  const backups = world.provider.includes(of.id) ? of.parties.filter(party => party.startsWith('B')).length : 0
  return relays + (hasC ? 1 : 0) + backups >= of.threshold
}

/** The wallet can sign, or the user can restore it. A lying R1 can stop a wallet, but not take the user's shares. */
function walletSurvives(before: World, after: World): string | undefined {
  const { truth } = after
  if (truth.isR1Lying || isStep(after, 'erase')) return undefined
  // A wallet without a backup needs its device, and R1's database, which has a synchronous replica.
  if (after.scheme === 'TWO_OF_TWO' && (truth.isRestored || isStep(after, 'lose'))) return undefined
  const survived = Object.values(before.packages).some(of => isUsable(before, of))
  const survives = Object.values(after.packages).some(of => isUsable(after, of))
  return survived && !survives ? 'no shares are left that sign or restore the wallet' : undefined
}

/** No message of a relay and no unsigned error destroys the user's last threshold of shares. */
function userKeepsThreshold(before: World, after: World): string | undefined {
  if (isStep(after, 'erase', 'lose')) return undefined
  return ownsKey(before) && !ownsKey(after) ? 'the user lost the last threshold of their own shares' : undefined
}

/** With two relays, a replaced or revoked package never signs again. */
function goneStaysGone(_: World, after: World): string | undefined {
  const revived = after.truth.gone.find(id => canSign(after, getPackage(after, id)))
  return after.hasR2 && revived ? `${revived} signs again` : undefined
}

/** Every relay that signs for a set enforces the policy that the user signed. */
function policyHolds(_: World, after: World): string | undefined {
  const wrong = RELAYS.filter(party => party === 'R2' || !after.truth.isR1Lying).flatMap(party =>
    Object.values(after[party].rows)
      .filter(row => givesShare(after[party], getPackage(after, row.package)))
      .filter(({ setId, policyHash, unconfirmed }) =>
        [policyHash, ...unconfirmed].every(hash => !after.truth.policies[setId]?.includes(hash)),
      )
      .filter(row => canSign(after, getPackage(after, row.package)))
      .map(({ setId }) => `${party} enforces another policy for ${setId}`),
  )
  return wrong[0]
}

/** No relay and no delegate has a threshold, and where R2 exists no relay and delegate have one together. */
function nobodyElseHasKey(_: World, after: World): string | undefined {
  const open = Object.values(after.packages).find(({ parties, threshold, holder }) => {
    const others = parties.filter(party => party === 'R1' || (party === 'C' && holder === 'delegate')).length
    return others >= threshold && (after.hasR2 || others === 1)
  })
  return open && `R1 and the delegate can compute the key by ${open.id}`
}

/** No step of another user changes a relay. */
function othersChangeNothing(before: World, after: World): string | undefined {
  if (!after.last?.signed.includes('other user')) return undefined
  return before.R1 === after.R1 && before.R2 === after.R2 ? undefined : 'another user changed the wallet'
}

/** Only a relay that was restored, or a lie of R1, freezes a wallet. */
function freezesWhenBehind(_: World, after: World): string | undefined {
  if (after.truth.isRestored || after.truth.isR1Lying) return undefined
  const frozen = RELAYS.find(party => Object.values(after[party].rows).some(({ isFrozen }) => isFrozen))
  return frozen && `${frozen} froze a wallet that misses nothing`
}

/** The primary device can end any ceremony and delegation of its wallet, which then never commits. */
function userCanEnd(_: World, after: World): string | undefined {
  const { stuck, ended } = after.truth
  if (stuck) return `the user cannot end ${stuck}`
  const alive = ended.find(id => canSign(after, getPackage(after, id)))
  return alive && `${alive} signs, although the user ended it`
}

/** An additional set that a record revoked never signs again in its frame. */
function revokedStaysRetired(before: World, after: World): string | undefined {
  const revived = DEVICES.find(device =>
    Object.values(before[device].sets).some(({ setId, kind, retired }) => {
      const now = after[device].sets[setId]
      return kind !== 'primary' && retired?.reason === 'revoked' && now && !now.retired && !now.creation
    }),
  )
  return revived && `the ${revived} uses a revoked set again`
}

function stateInFrame({ sets }: FrameWorld, id: string): SetState | undefined {
  for (const set of Object.values(sets)) {
    if (getName(set.share.set) === id) {
      if (set.retired) return set.retired.reason === 'revoked' ? 'revoked' : 'superseded'
      return !set.creation ? 'active' : set.backups.length > 0 ? 'pending' : 'dealt'
    }
    if (set.pending && getName(set.pending.share.set) === id) return set.pending.backup ? 'pending' : 'dealt'
  }
  return heldBy({ sets }).includes(id) ? 'superseded' : undefined
}

function stateAtRelay(world: World, party: RelayId, id: string): SetState | undefined {
  const { rows, ceremonies } = world[party]
  const row = Object.values(rows).find(it => it.package === id)
  if (row?.status === 'active' && row.isLost) return 'lost'
  if (row) return row.status === 'revoked' ? 'revoked' : row.isFrozen ? 'frozen' : 'active'
  const waiting = Object.values(ceremonies).find(it => it.package === id && !it.leaves)
  if (waiting?.step === 'dealt') return 'dealt'
  return waiting?.step === 'confirmed' ? 'pending' : undefined
}

/** States of a package at each party. */
function listStates(world: World, id: string): readonly (readonly [Transition['at'], State])[] {
  return [
    ...DEVICES.map(device => ['frame', stateInFrame(world[device], id) ?? 'none'] as const),
    ...RELAYS.map(party => [party, stateAtRelay(world, party, id) ?? 'none'] as const),
  ]
}

/** Every change of a share's state is a row of the table, caused by those who must sign it. */
function followsTable(before: World, after: World): string | undefined {
  const { events = [], signed = [] } = after.last ?? {}
  // A snapshot may bring back any state; the comparison with the peer follows.
  if (isStep(after, 'restore')) return undefined
  for (const id of Object.keys(after.packages)) {
    const previous = listStates(before, id)
    for (const [index, [at, to]] of listStates(after, id).entries()) {
      const from = previous[index]?.[1] ?? 'none'
      if (from === to) continue
      const change = `${events[0]} moves ${id} at ${at} from ${from} to ${to}`
      const row = findTransition(events, at, from, to)
      if (!row) return `${change}, which the table lacks`
      const missing = row.signedBy.find(signer => !signed.includes(signer))
      if (missing) return `${change} without ${missing}`
    }
  }
  return undefined
}

const INVARIANTS: Readonly<Record<string, Invariant>> = {
  oneEpochSigns,
  walletSurvives,
  userKeepsThreshold,
  goneStaysGone,
  policyHolds,
  nobodyElseHasKey,
  othersChangeNothing,
  userCanEnd,
  freezesWhenBehind,
  revokedStaysRetired,
  followsTable,
}

/** @returns the first invariant that the step broke, with a sentence */
export function findViolation(before: World, after: World): string | undefined {
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    const problem = invariant(before, after)
    if (problem) return `${name}: ${problem}`
  }
  return undefined
}
