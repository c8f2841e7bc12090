/** Data model of a scheduled transfer: stored form, view for the page, and due times. */
import * as v from 'valibot'

const text = v.pipe(v.string(), v.minLength(1))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const problem = v.object({ code: text, message: v.string() })
const transfer = v.object({
  /** ms since epoch */
  dueAt: count,
  /** `sent`: possibly; the chain is polled until the outcome is known. `missed`: the next one came due before a try. */
  state: v.picklist(['sent', 'paid', 'failed', 'missed']),
  signature: v.optional(text),
  error: v.optional(problem),
  /** Signed bytes, base64, and the last block that accepts them; kept until the outcome is known. */
  pending: v.optional(v.object({ bytes: text, lastValidBlockHeight: count })),
})
export const scheduleSchema = v.object({
  setId: text,
  /** Address of the payer. */
  from: text,
  to: text,
  /** Amount of each payment, as text because it has 64 bits. */
  lamports: text,
  /** Seconds. */
  every: count,
  times: count,
  /** Sealed share; erased after the last payment. */
  share: v.optional(text),
  /** Sealed bundle from the page, kept until the relays know that the share was accepted. */
  bundle: v.optional(text),
  /** Due time of the first payment, in ms since epoch; absent until the relays know that the share was accepted. */
  startedAt: v.optional(count),
  transfers: v.array(transfer),
  /** Reason for an early end. */
  stopped: v.optional(problem),
  /** Current problem; the payment is retried. */
  trouble: v.optional(problem),
})
export type Problem = Readonly<v.InferOutput<typeof problem>>
/** Transfer for one due time. Its signature is stored before it is sent, and at most one per due time ever counts. */
export type Transfer = Readonly<v.InferOutput<typeof transfer>>
export type Schedule = Readonly<v.InferOutput<typeof scheduleSchema>>

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
