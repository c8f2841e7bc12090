/**
 * Decides whether an activity may run. The root users together may do anything. Otherwise a policy must allow it:
 * a deny overrides every allow, and a policy that lacks approvals requests more.
 */
import type { policies } from '../db/schema.js'
import { evaluate, type Facts } from './evaluate.js'
import { parsePolicy } from './parse.js'

/** An empty condition always applies; an empty consensus needs no further approvals. */
type Rule = Pick<typeof policies.$inferSelect, 'effect' | 'condition' | 'consensus'>
export interface Question {
  readonly rootUserIds: readonly string[]
  readonly rootThreshold: number
  readonly approverIds: readonly string[]
  /** User who must also approve. When set, policies do not count and the root users must agree. */
  readonly requiredId?: string
  readonly rules: readonly Rule[]
  readonly facts: Facts
}
export type Outcome = 'allow' | 'deny' | 'consensus'

function holds(text: string, facts: Facts): boolean {
  return text === '' || evaluate(parsePolicy(text), facts) === true
}

export function decide({ rootUserIds, rootThreshold, approverIds, requiredId, rules, facts }: Question): Outcome {
  const roots = approverIds.filter(id => rootUserIds.includes(id)).length
  if (requiredId !== undefined) {
    if (roots >= rootThreshold && approverIds.includes(requiredId)) return 'allow'
    return roots > 0 ? 'consensus' : 'deny'
  }
  if (roots >= rootThreshold) return 'allow'
  const applying = rules.filter(({ condition }) => holds(condition, facts))
  if (applying.some(({ effect, consensus }) => effect === 'EFFECT_DENY' && holds(consensus, facts))) return 'deny'
  const allowing = applying.filter(({ effect }) => effect === 'EFFECT_ALLOW')
  if (allowing.some(({ consensus }) => holds(consensus, facts))) return 'allow'
  return allowing.length > 0 || roots > 0 ? 'consensus' : 'deny'
}
