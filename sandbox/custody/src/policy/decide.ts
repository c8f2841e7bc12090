/**
 * May it happen? The root users together may do anything. Otherwise a policy must allow it; one that denies it wins over
 * all that allow; one that allows what not enough have approved asks for more.
 */
import { evaluate, type Facts } from './evaluate.js'
import { parsePolicy } from './parse.js'

export interface Rule {
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  /** Empty: always. */
  readonly condition: string
  /** Empty: whoever asks. */
  readonly consensus: string
}
export interface Question {
  readonly rootUserIds: readonly string[]
  readonly rootThreshold: number
  readonly approverIds: readonly string[]
  /** No policy counts: the root users together must agree, and this user too. */
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
