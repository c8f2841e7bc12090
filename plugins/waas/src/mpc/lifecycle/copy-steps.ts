/** Steps of a relay that is put back to a copy: taking and restoring the copy, and comparing with the other relay. */
import { type Next, newest } from './frame-steps.js'
import { getHead, know, learn, setRelay, setRow, witness } from './relay-steps.js'
import type { RelayId, RelayWorld, Rules, SignedRecord, Truth, World } from './world.js'

export function snapshot(world: World, _: Rules, party: RelayId): World {
  return { ...world, snapshots: { [party]: world[party] } }
}

/** A relay is restored from its snapshot, and starts. */
export function restore(world: World, rules: Rules, party: RelayId): Next {
  const saved = world.snapshots[party]
  if (!saved) return undefined
  const isQuarantined = world.hasR2 && rules.isQuarantinedAtStart
  const restored = setRelay({ ...world, snapshots: {} }, party, { ...saved, isQuarantined })
  return know(restored, { ...(party === 'R1' && rewind(world, saved)), isRestored: true })
}

/** No party can know what R1 alone knew, so the invariants expect only what R2 had. */
function rewind({ truth, R1, R2 }: World, saved: RelayWorld): Partial<Truth> {
  const isKnown = (setId: string) => newest(R2.log, setId)?.id === newest(R1.log, setId)?.id
  const policies = Object.entries(truth.policies).map(([setId, signed]) => {
    const last = [newest(saved.log, setId), newest(R2.log, setId), R2.rows[setId]]
    const waiting = Object.values(saved.ceremonies).filter(it => it.setId === setId && !R2.ceremonies[it.ceremonyId])
    const older = isKnown(setId) ? waiting : [...waiting, ...last]
    return [setId, [...signed, ...older.map(known => known?.policyHash)]]
  })
  const isEnded = (id: string) =>
    R2.log.some(({ package: of, status }) => of === id && status === 'revoked') ||
    Object.values(R2.ceremonies).some(({ package: of, step }) => of === id && step === 'ended')
  return { ended: truth.ended.filter(isEnded), policies: Object.fromEntries(policies) }
}

function getSide(own: readonly SignedRecord[], peers: readonly SignedRecord[]) {
  const head = getHead(own)
  return head && { ...head, at: own.find(({ generation }) => generation === peers.at(-1)?.generation)?.id }
}

/** Applies a record that only the peer has. The peer's log has its policy too, but no share of a new epoch. */
function repair(world: World, rules: Rules, party: RelayId, record: SignedRecord): World {
  const { rows, log } = world[party]
  const row = rows[record.setId]
  const generation = newest(log, record.setId)?.generation
  const known = { party, isFromPeer: true, set: row, generation, ceremony: undefined }
  if (row && rules.relay.onRecord(known, record).action === 'renew') {
    const ownPolicy = { policy: row.policyHash, unconfirmed: row.unconfirmed }
    // No policy of the model can be compared with another.
    const order = { isWithin: (next: string, now: string) => next === now, nothing: 'nothing' }
    const { policy, unconfirmed } = rules.relay.recordedPolicy(party, ownPolicy, record.policyHash, order)
    return setRow(witness(world, party, record), party, { ...row, policyHash: policy, unconfirmed })
  }
  return learn(world, rules, party, record) ?? world
}

/** A relay that started compares itself with its peer, and takes the records that it lacks. */
export function compare(world: World, rules: Rules, party: RelayId): Next {
  const { isQuarantined, log } = world[party]
  if (!isQuarantined) return undefined
  const peers = world[party === 'R1' ? 'R2' : 'R1'].log
  const relation = rules.log.compareHistories(getSide(log, peers), getSide(peers, log))
  const consequence = rules.log.afterComparison(party, relation)
  if (consequence === 'quarantine') return undefined
  const missing = consequence === 'repair' ? peers.slice(log.length) : []
  const repaired = missing.reduce<World>((next, record) => repair(next, rules, party, record), world)
  return setRelay(repaired, party, { isQuarantined: false })
}
