/**
 * Compares two policies: does the first allow anything that the
 * second refuses? In doubt it does, which requires a second factor.
 */
import type { Policy, ProgramRule } from './policy.js'

function atMost(next: string | undefined, now: string | undefined): boolean {
  return now === undefined || (next !== undefined && BigInt(next) <= BigInt(now))
}

function isRuleWithin(next: ProgramRule, now: ProgramRule | undefined): boolean {
  if (!now || (next.uncapped && !now.uncapped)) return false
  if (now.instructions === undefined) {
    // An absent list means "all but those that must be listed by name", so any list may add an instruction.
    return next.instructions === undefined
  }
  const listed = now.instructions
  return next.instructions?.every(prefix => listed.some(known => prefix.startsWith(known))) ?? false
}

/** Returns true when `next` allows nothing that `now` refuses. */
export function isWithin(next: Policy, now: Policy): boolean {
  return (
    atMost(next.dailyLimit, now.dailyLimit) &&
    atMost(next.transactionLimit, now.transactionLimit) &&
    next.programs.every(rule =>
      isRuleWithin(
        rule,
        now.programs.find(program => program.programId === rule.programId),
      ),
    ) &&
    (now.destinations === undefined ||
      (next.destinations?.every(destination => now.destinations?.includes(destination)) ?? false)) &&
    (now.messages || !next.messages) &&
    (now.expiresAt === undefined || (next.expiresAt !== undefined && next.expiresAt <= now.expiresAt))
  )
}
