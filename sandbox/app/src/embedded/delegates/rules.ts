/** The rules under which the scheduler pays: just what was scheduled; and rules in words. */
import { formatSol } from '@keybay/solana'
import type { Policy } from '@keybay/waas'
import { formatMoment, groupDecimal } from '../../design/format.js'

export interface Plan {
  readonly to: string
  /** Of each payment. */
  readonly lamports: bigint
  /** s */
  readonly every: number
  readonly times: number
}

export const periods: readonly { readonly seconds: number; readonly name: string; readonly each: string }[] = [
  { seconds: 3600, name: 'Every hour', each: 'every hour' },
  { seconds: 86_400, name: 'Every day', each: 'every day' },
  { seconds: 7 * 86_400, name: 'Every week', each: 'every week' },
  { seconds: 30 * 86_400, name: 'Every 30 days', each: 'every 30 days' },
]

export function periodOf(seconds: number): string {
  return periods.find(one => one.seconds === seconds)?.each ?? `every ${Math.round(seconds / 60)} minutes`
}

const SYSTEM = '11111111111111111111111111111111'
/** Of the System program. */
const TRANSFER = '02000000'
/** Lamports of a transaction with one signature. */
const FEE = 5000n
const DAY = 86_400
/** For consent, and for clocks that differ, ms. */
const SPARE = 3_600_000

/**
 * A payment may be late by a whole period, and then the next one comes in time. And one more: what was signed and never arrived,
 * because its block hash ended or the server stopped, is signed anew, and the relays count what they sign.
 */
function mostInADay({ every, times }: Plan): number {
  return Math.min(times, Math.ceil(DAY / every) + 1) + 1
}

/** @param now ms since epoch */
export function policyOf(plan: Plan, now: number): Policy {
  const once = plan.lamports + FEE
  return {
    transactionLimit: once,
    dailyLimit: once * BigInt(mostInADay(plan)),
    programs: [{ programId: SYSTEM, instructions: [TRANSFER] }],
    destinations: [plan.to],
    messages: false,
    expiresAt: now + plan.every * plan.times * 1000 + SPARE,
  }
}

export function sol(lamports: bigint): string {
  return `${groupDecimal(formatSol(lamports))} SOL`
}

function isTransferOnly({ programs }: Policy): boolean {
  return programs.every(
    ({ programId, instructions }) => programId === SYSTEM && instructions?.every(one => one === TRANSFER),
  )
}

/** What a server may do, one sentence a rule. */
export function inWords(policy: Policy): readonly string[] {
  const { transactionLimit, dailyLimit, destinations, messages, expiresAt } = policy
  return [
    destinations ? `It pays ${destinations.join(', ') || 'nobody'}, and nobody else.` : 'It may pay anybody.',
    transactionLimit === undefined ? 'No limit for one payment.' : `At most ${sol(transactionLimit)} at once.`,
    dailyLimit === undefined ? 'No limit a day.' : `At most ${sol(dailyLimit)} in 24 hours. Fees count.`,
    isTransferOnly(policy) ? 'Transfers of SOL only.' : 'It uses programs that you allowed by name.',
    messages ? 'It may sign messages.' : 'It signs no messages.',
    expiresAt === undefined ? 'Until you revoke it.' : `Until ${formatMoment(expiresAt)}, or until you revoke it.`,
  ]
}
