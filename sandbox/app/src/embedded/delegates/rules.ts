/** Builds the policy under which the scheduler pays exactly what was scheduled, and describes policies as text. */
import { formatSol } from '@keybay/solana'
import type { Policy } from '@keybay/waas'
import { formatMoment, groupDecimal } from '../../design/format.js'

export interface Plan {
  readonly to: string
  /** Amount of each payment. */
  readonly lamports: bigint
  /** Seconds. */
  readonly every: number
  readonly times: number
}

/** Periods, in seconds. */
export const periods: readonly { readonly value: number; readonly name: string }[] = [
  { value: 3600, name: 'Every hour' },
  { value: 86_400, name: 'Every day' },
  { value: 7 * 86_400, name: 'Every week' },
  { value: 30 * 86_400, name: 'Every 30 days' },
]

export function getPeriod(seconds: number): string {
  return (
    periods.find(({ value }) => value === seconds)?.name.toLowerCase() ?? `every ${Math.round(seconds / 60)} minutes`
  )
}

const SYSTEM = '11111111111111111111111111111111'
/** Instruction prefix of a System program transfer. */
const TRANSFER = '02000000'
/** Fee of a transaction with one signature, in lamports. */
const FEE = 5000n
const DAY = 86_400
/** Allowance for the user's consent and for clock differences, in ms. */
const SPARE = 3_600_000

/**
 * A payment may be a whole period late and the next one on time. Adds one more, because a transaction that never
 * arrived (its block hash expired or the server stopped) is signed again, and the relays count signatures.
 */
function mostInADay({ every, times }: Plan): number {
  return Math.min(times, Math.ceil(DAY / every) + 1) + 1
}

/** @param now ms since epoch */
export function getPolicy(plan: Plan, now: number): Policy {
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
    ({ programId, instructions }) =>
      programId === SYSTEM && instructions?.every(instruction => instruction === TRANSFER),
  )
}

/** Returns the permissions of a server, one sentence per rule. */
export function inWords(policy: Policy): readonly string[] {
  const { transactionLimit, dailyLimit, destinations, messages, expiresAt } = policy
  return [
    destinations ? `It pays only ${destinations.join(', ')}.` : 'It may pay any address.',
    transactionLimit === undefined ? 'No limit for one payment.' : `At most ${sol(transactionLimit)} at once.`,
    dailyLimit === undefined ? 'No limit a day.' : `At most ${sol(dailyLimit)} in 24 hours. Fees count.`,
    isTransferOnly(policy) ? 'Transfers of SOL only.' : 'It uses programs that you allowed by name.',
    messages ? 'It may sign messages.' : 'It signs no messages.',
    expiresAt === undefined ? 'Until you revoke it.' : `Until ${formatMoment(expiresAt)}, or until you revoke it.`,
  ]
}
