/** Policy that this app offers: a daily limit, with only the programs that an ordinary transfer needs. */
import type { Policy } from '@keybay/waas'

/** Programs whose cost can be counted: SOL transfers, priority fees and memos. */
const PROGRAMS: Policy['programs'] = [
  { programId: '11111111111111111111111111111111', instructions: ['02000000'] },
  { programId: 'ComputeBudget111111111111111111111111111111' },
  { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' },
]

/** @param dailyLimit lamports */
export function getPolicy(dailyLimit: bigint, messages: boolean): Policy {
  return { dailyLimit, programs: PROGRAMS, messages }
}
