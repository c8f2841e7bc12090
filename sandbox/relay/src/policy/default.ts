/** Default policy of a wallet: transactions within it need no consent, others need consent in the visible frame. */
import type { Policy } from './policy.js'
import { ASSOCIATED_TOKEN, COMPUTE_BUDGET, MEMO, MEMO_1, SYSTEM } from './programs.js'

/** @param dailyLimit lamports, decimal */
export function defaultPolicy(dailyLimit: string): Policy {
  return {
    dailyLimit,
    programs: [
      { programId: SYSTEM, instructions: ['02000000'] },
      { programId: COMPUTE_BUDGET },
      { programId: MEMO },
      { programId: MEMO_1 },
      { programId: ASSOCIATED_TOKEN },
    ],
    messages: true,
  }
}
