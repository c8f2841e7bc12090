/** A policy as text: what the relay takes, and what the host's session key signs. */
import type { Policy } from './wallet.js'

/**
 * Amounts as decimal text. The fields stand in the relay's order, so that page, frame and relay make the same JSON of it.
 */
export function wirePolicy({ dailyLimit, transactionLimit, programs, ...rest }: Policy): object {
  return {
    dailyLimit: dailyLimit?.toString(),
    transactionLimit: transactionLimit?.toString(),
    programs: programs.map(({ programId, instructions, uncapped }) => ({ programId, instructions, uncapped })),
    destinations: rest.destinations,
    messages: rest.messages,
    expiresAt: rest.expiresAt,
  }
}

export function policyText(policy: Policy | null): string {
  return JSON.stringify(policy && wirePolicy(policy))
}
