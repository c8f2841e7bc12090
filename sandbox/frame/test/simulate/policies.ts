/** Invariant over policies: each relay enforces what the user signed. */
import { FORGED_LIMITS } from './forgeries.js'
import { readSets } from './observe.js'
import type { Step } from './steps.js'
import type { World } from './world.js'

interface PolicyMemory {
  /** Daily limit that the user signed last, by set; undefined while an attempt has an unknown end. */
  readonly policies: Map<string, number | undefined>
  readonly isLying: boolean
}

function getLimit(policy: object | null): number | undefined {
  const limit: unknown = policy && Reflect.get(policy, 'dailyLimit')
  return limit === null || limit === undefined ? undefined : Number(limit)
}

export async function learnPolicy(
  { browsers }: World,
  { policies }: PolicyMemory,
  step: Step,
  outcome: string,
): Promise<undefined> {
  if (step.do !== 'policy' || outcome === 'skipped') return
  const [primary] = (await (await browsers[step.device]?.open())?.kept()) ?? []
  if (primary) policies.set(primary.setId, outcome === 'ok' ? step.limit : undefined)
}

/** Checks the rows that sign. A relay that was restored signs once it has caught up with the other. */
export async function checkPolicies(world: World, { policies, isLying }: PolicyMemory): Promise<string | undefined> {
  if (world.restored.size > 1) return undefined
  const r2 = new Map((await readSets(world, 'R2')).map(row => [row.id, row]))
  for (const { id, epoch, kind, status, policy, is_behind } of await readSets(world, 'R1')) {
    const limit = policies.get(id)
    if (status === 'active' && kind === 'delegate' && policy === null) return 'R1 lets a delegate sign anything'
    if (status !== 'active' || limit === undefined || is_behind) continue
    // R1 may have signed this policy as a lie to R2, lost its memory of that, and now found the record at R2.
    const isOwnLie = isLying && FORGED_LIMITS.includes(getLimit(policy) ?? 0)
    if (getLimit(policy) !== limit && !isOwnLie) return 'R1 does not enforce the policy that the user signed'
    const other = r2.get(id)
    if (other?.status !== 'active' || other.epoch !== epoch || other.is_behind) continue
    const limits = [other.policy, ...other.unconfirmed].map(known => getLimit(known) ?? Number.POSITIVE_INFINITY)
    const enforced = Math.min(...limits)
    // The record of a lying R1, or an R2 that was restored, can leave R2 stricter than the user, but no more than that.
    const isStricter = (isLying || world.restored.has('R2')) && enforced < limit
    if (enforced !== limit && !isStricter) return 'R2 does not enforce the policy that the user signed'
  }
  return undefined
}
