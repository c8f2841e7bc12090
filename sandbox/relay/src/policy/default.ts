/** What counts for a wallet without a policy of its own: it passes unasked; for more, the visible frame asks. */
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
