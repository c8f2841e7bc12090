/** Rows of this relay as the plain data that the rules of `mpc/lifecycle` decide on. */
import type { Refusal, RelayCeremony, RelaySet } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { RelayError } from '../http/errors.js'
import { hashPolicy, policySchema } from '../policy/index.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import type { SetRow } from '../store/sets.js'

/** Facts of a ceremony that can change a set; public. */
const pendingSchema = v.object({
  transcript: v.string(),
  origin: v.optional(v.picklist(['seed', 'dkg', 'imported']), 'dkg'),
  sealedSeed: v.optional(v.string()),
  purpose: v.optional(v.string()),
  name: v.optional(v.string(), ''),
  policy: v.optional(v.nullable(policySchema), null),
  unconfirmed: v.optional(v.array(v.nullable(policySchema)), []),
  owner: v.optional(v.string()),
  /** True when this relay only deals and leaves the set with the record. */
  leaves: v.optional(v.boolean(), false),
})
const steps = v.picklist(['dealt', 'confirmed', 'done', 'ended'])

export function readPending({ facts }: CeremonyRow): v.InferOutput<typeof pendingSchema> {
  return v.parse(pendingSchema, facts)
}

export function describeSet(row: SetRow): RelaySet {
  const { id: setId, walletId, kind, epoch, status, share, frozenAt, policy } = row
  const policyHash = hashPolicy(policy)
  return { setId, walletId, kind, epoch, status, hasShare: share !== null, isFrozen: frozenAt !== null, policyHash }
}

export function describeCeremony(row: CeremonyRow): RelayCeremony {
  const { id: ceremonyId, environmentId, walletId, setId } = row
  const { transcript, leaves, purpose, policy } = readPending(row)
  return {
    ceremonyId,
    environmentId,
    walletId,
    setId,
    step: v.parse(steps, row.step),
    isAdditional: purpose === 'addDevice' || purpose === 'delegate',
    transcript,
    policyHash: hashPolicy(policy),
    inheritsPolicy: purpose !== 'delegate',
    leaves,
  }
}

interface Decision {
  readonly action: string
}

/** Returns the decision. @throws RelayError for a refusal */
export function allow<D extends Decision>(decision: D): Exclude<D, Refusal>
export function allow(decision: Decision): Decision {
  if (!isRefusal(decision)) return decision
  const { code, epoch } = decision
  throw new RelayError(code, code === 'epoch_mismatch' ? { epoch } : undefined)
}

function isRefusal(decision: Decision): decision is Refusal {
  return decision.action === 'refuse'
}
