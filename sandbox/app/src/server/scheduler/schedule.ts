/** Data model of a scheduled transfer: stored form, view for the page, and due times. */
import * as v from 'valibot'

export interface Problem {
  readonly code: string
  readonly message: string
}
/** Transfer for one due time. Its signature is stored before it is sent, and at most one per due time ever counts. */
export interface Transfer {
  /** ms since epoch */
  readonly dueAt: number
  /** `sent`: possibly; the chain is polled until the outcome is known. `missed`: the next one came due before a try. */
  readonly state: 'sent' | 'paid' | 'failed' | 'missed'
  readonly signature?: string | undefined
  readonly error?: Problem | undefined
  /** Signed bytes, base64, and the last block that accepts them; kept until the outcome is known. */
  readonly pending?: { readonly bytes: string; readonly lastValidBlockHeight: number } | undefined
}
export interface Schedule {
  readonly setId: string
  /** Address of the payer. */
  readonly from: string
  readonly to: string
  /** Amount of each payment, as text because it has 64 bits. */
  readonly lamports: string
  /** Seconds. */
  readonly every: number
  readonly times: number
  /** Sealed share; erased after the last payment. */
  readonly share?: string | undefined
  /** Sealed bundle from the page, kept until the relays know that the share was accepted. */
  readonly bundle?: string | undefined
  /**
   * Time when the first payment is due, in ms since epoch; absent until the relays know that the share was accepted.
   */
  readonly startedAt?: number | undefined
  readonly transfers: readonly Transfer[]
  /** Reason for an early end. */
  readonly stopped?: Problem | undefined
  /** Current problem; the payment is retried. */
  readonly trouble?: Problem | undefined
}

const text = v.pipe(v.string(), v.minLength(1))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const problem = v.object({ code: text, message: v.string() })
const transfer = v.object({
  dueAt: count,
  state: v.picklist(['sent', 'paid', 'failed', 'missed']),
  signature: v.optional(text),
  error: v.optional(problem),
  pending: v.optional(v.object({ bytes: text, lastValidBlockHeight: count })),
})
export const scheduleSchema: v.GenericSchema<unknown, Schedule> = v.object({
  setId: text,
  from: text,
  to: text,
  lamports: text,
  every: count,
  times: count,
  share: v.optional(text),
  bundle: v.optional(text),
  startedAt: v.optional(count),
  transfers: v.array(transfer),
  stopped: v.optional(problem),
  trouble: v.optional(problem),
})

function isDone({ transfers, times }: Schedule): boolean {
  return transfers.length >= times && transfers.every(({ state }) => state !== 'sent')
}

/** Returns true if no further payment can happen. */
export function isOver(schedule: Schedule): boolean {
  return schedule.stopped !== undefined || isDone(schedule)
}

/** The relays know: the first payment is due. @param at ms since epoch */
export function begunAt({ bundle: _, ...rest }: Schedule, at: number): Schedule {
  return { ...rest, startedAt: at }
}

/** Removes the secrets of a schedule that will never sign again. */
export function withoutSecrets({ share: _, bundle: __, ...rest }: Schedule): Schedule {
  return rest
}

/** Returns the next due time that was not tried yet, in ms since epoch. */
export function nextDue(schedule: Schedule): number | undefined {
  const { startedAt, every, times, transfers } = schedule
  if (startedAt === undefined || schedule.stopped || transfers.length >= times) return undefined
  return startedAt + transfers.length * every * 1000
}

/** Returns the page's view of a schedule, without share or signed bytes. */
export function toView(schedule: Schedule): object {
  const { setId, from, to, lamports, every, times, stopped, trouble } = schedule
  return {
    setId,
    from,
    to,
    lamports,
    every,
    times,
    status: stopped ? 'stopped' : isDone(schedule) ? 'done' : 'active',
    transfers: schedule.transfers.map(({ pending: _, ...shown }) => shown),
    nextAt: nextDue(schedule) ?? null,
    ...(stopped && { stopped }),
    ...(trouble && { trouble }),
  }
}
