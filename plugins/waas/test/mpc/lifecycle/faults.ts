/** Variants of the rules, each with one fault that the search has to find. Several were the rules of earlier versions. */
import * as frame from '../../../src/mpc/lifecycle/frame.js'
import * as relay from '../../../src/mpc/lifecycle/relay.js'
import type { HeldSet } from '../../../src/mpc/lifecycle/states.js'
import { type Rules, PRODUCT_RULES as rules, toBytes, type World } from '../../../src/mpc/lifecycle/world.js'

export interface Fault {
  /** Rule as it is with the fault. */
  readonly name: string
  readonly rules: Rules
  /** World in which the search finds it. */
  readonly world: Pick<World, 'scheme' | 'hasR2' | 'budget'>
  /** Invariant that breaks. */
  readonly breaks: string
}

function withFrame(change: Partial<Rules['frame']>): Rules {
  return { ...rules, frame: { ...rules.frame, ...change } }
}
function withRelay(change: Partial<Rules['relay']>): Rules {
  return { ...rules, relay: { ...rules.relay, ...change } }
}
function refuse(code: relay.RefusalCode): relay.Refusal {
  return { action: 'refuse', code, epoch: 0 }
}

const two = { scheme: 'TWO_OF_TWO', hasR2: false } as const
const three = { scheme: 'TWO_OF_THREE', hasR2: true } as const
const five = { scheme: 'THREE_OF_FIVE', hasR2: true } as const

/** Replaces every share of a set by an empty one. */
function erased<Kept extends HeldSet<Kept>>(set: Kept): Kept {
  return { ...set, share: { epoch: -1, set: toBytes('nothing') }, pending: undefined, aside: undefined }
}
/** Stores what it is given. */
function overwrite<Kept>(_: Kept | undefined, next: Kept): Kept {
  return next
}

/** Rules of a relay that does not compare the hashes of policies. */
const BLIND: Partial<Rules['relay']> = {
  onBegin: (state, request) => relay.onBegin({ ...state, policyHash: request.policyHash }, request),
  onCommit: state => relay.onCommit({ ...state, ceremony: { ...state.ceremony, inheritsPolicy: false } }),
  onRecord({ set, ceremony, ...state }, record) {
    const { policyHash } = record
    const same = { set: set && { ...set, policyHash }, ceremony: ceremony && { ...ceremony, policyHash } }
    return relay.onRecord({ ...state, ...same }, record)
  },
}

/** Faults of the frame's rules. */
const FRAME_FAULTS: readonly Fault[] = [
  {
    name: 'a record that revokes the primary set erases its share',
    rules: withFrame({
      onRecord: (stored, seen, now) =>
        seen?.status === 'revoked' ? { set: erased(stored), isConfirmed: false } : frame.onRecord(stored, seen, now),
      onWrite: overwrite,
    }),
    world: { ...three, budget: { forge: 1, replay: 1 } },
    breaks: 'userKeepsThreshold',
  },
  {
    name: 'an unsigned error erases the share that waits for its commit',
    rules: {
      ...withFrame({ onRefusal: stored => ({ ...stored, pending: undefined }), onWrite: overwrite }),
      asksRecord: false,
    },
    world: { ...two, budget: { refresh: 1, refuse: 1 } },
    breaks: 'walletSurvives',
  },
  {
    name: 'a share is erased before the new backup exists',
    rules: withFrame({ onWrite: overwrite }),
    world: { ...three, budget: { refresh: 1, forge: 1, replay: 1 } },
    breaks: 'userKeepsThreshold',
  },
  {
    name: 'a run that ends late erases the newer share of another run',
    rules: withFrame({ onConfirm: set => ({ ...set, aside: undefined, retired: undefined }) }),
    world: { ...two, budget: { refresh: 2, replay: 1 } },
    breaks: 'walletSurvives',
  },
  {
    name: 'a run that ends late removes the newer backup of another run',
    rules: { ...rules, tidies: () => true },
    world: { ...three, budget: { refresh: 2 } },
    breaks: 'userKeepsThreshold',
  },
  {
    name: 'a commit is sent before the backup was read back',
    rules: { ...rules, demandsBackup: false },
    world: { ...three, budget: { refresh: 1, snapshot: 1, failure: 1 } },
    breaks: 'userKeepsThreshold',
  },
  {
    name: 'the share of a revoked primary set expires',
    rules: withFrame({
      onSweep(stored, now) {
        const additional: typeof stored = { ...stored, kind: 'device' }
        return stored.retired ? frame.onSweep(additional, now) : stored
      },
    }),
    world: { ...three, budget: { forge: 1, replay: 1, sweep: 1 } },
    breaks: 'userKeepsThreshold',
  },
  {
    name: 'a frame forgets that an additional set was revoked',
    rules: withFrame({
      onRecord(stored, seen, now) {
        const forgotten: typeof stored = { ...stored, retired: undefined }
        return frame.onRecord(forgotten, seen, now)
      },
    }),
    world: { ...three, budget: { restore: 1, revoke: 1, replay: 1 } },
    breaks: 'revokedStaysRetired',
  },
]

/** Faults of the relays' rules. */
const RELAY_FAULTS: readonly Fault[] = [
  {
    name: 'a restored relay signs before it asks its peer',
    rules: { ...rules, isQuarantinedAtStart: false },
    world: { ...three, budget: { restore: 1, revoke: 1, snapshot: 1, failure: 1 } },
    breaks: 'goneStaysGone',
  },
  {
    name: 'a relay that is behind its peer signs',
    rules: { ...rules, log: { ...rules.log, afterComparison: () => 'serve' } },
    world: { ...three, budget: { restore: 1, revoke: 1, snapshot: 1, failure: 1 } },
    breaks: 'goneStaysGone',
  },
  {
    name: 'the generations of two histories are not compared',
    rules: { ...rules, log: { ...rules.log, compareHistories: () => 'equal' } },
    world: { ...three, budget: { refresh: 1, snapshot: 1, failure: 1 } },
    breaks: 'goneStaysGone',
  },
  {
    name: 'a relay takes no revocation from its peer',
    rules: withRelay({
      onRecord: (state, record) =>
        record.status === 'revoked' ? { action: 'keep', epoch: record.epoch } : relay.onRecord(state, record),
    }),
    world: { ...three, budget: { restore: 1, revoke: 1, snapshot: 1, failure: 1 } },
    breaks: 'goneStaysGone',
  },
  {
    name: 'R2 takes the policy of its own row, and no party compares its hash',
    rules: { ...withRelay(BLIND), policy: (_, own) => own?.policyHash ?? 'no policy' },
    world: { ...three, budget: { policy: 1, reshare: 1 } },
    breaks: 'policyHolds',
  },
  {
    name: 'R2 ignores a policy of a record that it cannot compare with its own',
    rules: withRelay({
      recordedPolicy: (party, own, recorded) => (party === 'R1' ? { policy: recorded, unconfirmed: [] } : own),
    }),
    world: { ...five, budget: { policy: 1, snapshot: 1, failure: 1 } },
    breaks: 'policyHolds',
  },
  {
    name: 'the hash of the policy is not compared at the commit',
    rules: withRelay({ ...BLIND, adoptedPolicy: (_, __, agreed) => agreed }),
    world: { ...five, budget: { policy: 1, refresh: 1 } },
    breaks: 'policyHolds',
  },
  {
    name: 'only the new key can abort a ceremony',
    rules: withRelay({
      onAbort: (ceremony, signer) => (signer === 'ceremony' ? relay.onAbort(ceremony, signer) : refuse('not_enabled')),
    }),
    world: { ...three, budget: { restore: 1, abort: 1 } },
    breaks: 'userCanEnd',
  },
  {
    name: 'a delegation cannot be revoked before it is accepted',
    rules: withRelay({ onRevoke: ({ set }) => relay.onRevoke({ set, ceremonies: [] }) }),
    world: { ...three, budget: { delegate: 1, revoke: 1 } },
    breaks: 'userCanEnd',
  },
  {
    name: 'a ceremony ends all others with the same set ID',
    rules: withRelay({
      onBegin: ({ ceremonies }) => ({ action: 'deal', ends: ceremonies.map(({ ceremonyId }) => ceremonyId) }),
    }),
    world: { ...three, budget: { refresh: 1, intrude: 1 } },
    breaks: 'othersChangeNothing',
  },
  {
    name: 'R2 takes records from everybody',
    rules: { ...rules, demandsPeerSignature: false },
    world: { ...three, budget: { refresh: 1 } },
    breaks: 'othersChangeNothing',
  },
  {
    name: 'R2 freezes a wallet that it has left',
    rules: withRelay({
      onRecord: (state, record) =>
        relay.onRecord({ ...state, isFromPeer: false, set: state.set && { ...state.set, hasShare: true } }, record),
    }),
    world: { ...five, budget: { reshare: 1, refresh: 1 } },
    breaks: 'freezesWhenBehind',
  },
  {
    name: 'a commit does not compare epochs and steps',
    rules: withRelay({ onCommit: () => ({ action: 'commit' }) }),
    world: { ...three, budget: { refresh: 1, restore: 1 } },
    breaks: 'followsTable',
  },
  {
    name: 'a delegate shares the key with R1 alone',
    rules: { ...rules, additional: scheme => rules.additional(scheme, false) },
    world: { ...three, budget: { delegate: 1 } },
    breaks: 'nobodyElseHasKey',
  },
]

export const FAULTS: readonly Fault[] = [...FRAME_FAULTS, ...RELAY_FAULTS]
