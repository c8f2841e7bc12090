/** A policy as text: the relay's input, and what the session key signs. */
import type { Policy } from './wallet.js'

/** Writes amounts as decimal text and fields in the relay's order, so that all parties produce the same JSON. */
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
