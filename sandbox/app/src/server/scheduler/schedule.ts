/** A transfer that somebody scheduled: what is kept of it, what a page sees, and when it is due. */
import * as v from 'valibot'

export interface Problem {
  readonly code: string
  readonly message: string
}
/** One due time. A signature is kept before it is sent, and only one of a due time ever counts. */
export interface Transfer {
  /** ms since epoch */
  readonly dueAt: number
  /** `sent`: perhaps; the chain is asked until it is known. `missed`: the next one was due before it could be tried. */
  readonly state: 'sent' | 'paid' | 'failed' | 'missed'
  readonly signature?: string | undefined
  readonly error?: Problem | undefined
  /** What was signed, base64, and the last block that takes it: while it is not known what came of it. */
  readonly pending?: { readonly bytes: string; readonly lastValidBlockHeight: number } | undefined
}
export interface Schedule {
  readonly setId: string
  /** Who pays. */
  readonly from: string
  readonly to: string
  /** Of each payment, as text: 64 bits. */
  readonly lamports: string
  /** s */
  readonly every: number
  readonly times: number
  /** The share, sealed; erased with the last payment. */
  readonly share?: string | undefined
  /** What the page brought, sealed, until the relays know that the share was taken. */
  readonly bundle?: string | undefined
  /** ms since epoch, and when the first one is due; absent until the relays know that the share was taken. */
  readonly startedAt?: number | undefined
  readonly transfers: readonly Transfer[]
  /** Why it ended before its time. */
  readonly stopped?: Problem | undefined
  /** What is in the way now; it is tried again. */
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

/** Whether nothing will ever come of it any more. */
export function isOver(schedule: Schedule): boolean {
  return schedule.stopped !== undefined || isDone(schedule)
}

/** The relays know: the first payment is due. @param at ms since epoch */
export function begunAt({ bundle: _, ...rest }: Schedule, at: number): Schedule {
  return { ...rest, startedAt: at }
}

/** What will never sign again keeps no secret. */
export function withoutSecrets({ share: _, bundle: __, ...rest }: Schedule): Schedule {
  return rest
}

/** When the next one is due that was not tried yet, ms since epoch. */
export function nextDue(schedule: Schedule): number | undefined {
  const { startedAt, every, times, transfers } = schedule
  if (startedAt === undefined || schedule.stopped || transfers.length >= times) return undefined
  return startedAt + transfers.length * every * 1000
}

/** What the page sees: no share, and no bytes. */
export function viewOf(schedule: Schedule): object {
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
