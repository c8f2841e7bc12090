/** One step of one schedule: at most one transaction is signed, sent, or asked about. */
import { isKeybayError, type KeybayError } from '@keybay/kernel'
import { isKnown, isPassing } from './admit.js'
import { type PaymentChain, signatureOf } from './chain.js'
import { begunAt, nextDue, type Problem, type Schedule, type Transfer } from './schedule.js'

export interface PayParts {
  readonly chain: PaymentChain
  /** @throws KeybayError of the relay */
  readonly sign: (schedule: Schedule, transaction: Uint8Array) => Promise<Uint8Array>
  /** Tells the relays that its share was taken. @throws KeybayError of `Delegate.accept` */
  readonly accept: (schedule: Schedule) => Promise<void>
  /** Is on the disk when it returns. */
  readonly keep: (schedule: Schedule) => void
  /** ms since epoch */
  readonly now: () => number
}

/** After these it would be refused for ever: the user revoked it, it is not what they agreed to, or the operator unlisted us. */
const FINAL: ReadonlySet<string> = new Set(['set_revoked', 'policy_refused', 'unauthorized'])
/** What was signed and never arrived counts for a day all the same; after that there is room again. */
function isFull({ details }: KeybayError): boolean {
  return Reflect.get(Object(details), 'rule') === 'daily-limit'
}

function isFinal(error: unknown): boolean {
  return isKeybayError(error) && FINAL.has(error.code) && !isFull(error)
}

function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  return { code: isKeybayError(error) ? error.code : 'unreachable', message }
}

function without(schedule: Schedule): Schedule {
  const { trouble: _, ...rest } = schedule
  return rest
}
/** With another last transfer. */
function ending(schedule: Schedule, transfers: readonly Transfer[], last: Transfer): Schedule {
  return {
    ...without(schedule),
    transfers: [...transfers, last],
  }
}

/** Signs for a due time. It is kept before it is sent: who starts again asks the chain, and does not pay again. */
async function begin(parts: PayParts, schedule: Schedule, dueAt: number): Promise<void> {
  const { chain, sign, keep } = parts
  const { from, to, lamports, transfers } = schedule
  const { bytes, lastValidBlockHeight } = await chain.build({ from, to, lamports: BigInt(lamports) })
  let signed: Uint8Array
  try {
    signed = await sign(schedule, bytes)
  } catch (thrown) {
    if (!isFinal(thrown)) throw thrown
    const error = problemOf(thrown)
    keep({ ...ending(schedule, transfers, { dueAt, state: 'failed', error }), stopped: error })
    return
  }
  const signature = signatureOf(signed)
  const pending = { bytes: Buffer.from(signed).toString('base64'), lastValidBlockHeight }
  keep(ending(schedule, transfers, { dueAt, state: 'sent', signature, pending }))
  const error = await chain.send(signed)
  if (error) keep(ending(schedule, transfers, { dueAt, state: 'failed', signature, error }))
}

/** What came of one that was perhaps sent. */
async function settle({ chain, keep }: PayParts, schedule: Schedule, last: Transfer): Promise<void> {
  const before = schedule.transfers.slice(0, -1)
  const { dueAt, signature, pending } = last
  if (signature === undefined || pending === undefined)
    return keep(ending(schedule, before, { ...last, state: 'failed' }))
  const outcome = await chain.outcome(signature, pending.lastValidBlockHeight)
  if (outcome === 'paid') keep(ending(schedule, before, { dueAt, state: 'paid', signature }))
  // It can never arrive: the due time is open again.
  else if (outcome === 'gone') keep({ ...without(schedule), transfers: before })
  else if (outcome === 'unknown') {
    // The same bytes are the same payment, so once more does no harm; what the node says of them is not the last word.
    await chain.send(Buffer.from(pending.bytes, 'base64')).catch(() => undefined)
  } else keep(ending(schedule, before, { dueAt, state: 'failed', signature, error: outcome }))
}

/** Begun, and then this server was stopped, or the relays were away. */
async function admit({ accept, keep, now }: PayParts, schedule: Schedule): Promise<void> {
  try {
    await accept(schedule)
  } catch (error) {
    if (isPassing(error)) throw error
    if (!isKnown(error)) return keep({ ...without(schedule), stopped: problemOf(error) })
  }
  keep(begunAt(without(schedule), now()))
}

async function step(parts: PayParts, schedule: Schedule): Promise<void> {
  if (schedule.startedAt === undefined) return admit(parts, schedule)
  const last = schedule.transfers.at(-1)
  if (last?.state === 'sent') return settle(parts, schedule, last)
  const dueAt = nextDue(schedule)
  const now = parts.now()
  if (dueAt === undefined || now < dueAt) return
  // Late by a whole period: the next one is due, and two at once are not what was agreed to.
  const isMissed = now >= dueAt + schedule.every * 1000
  if (isMissed) parts.keep(ending(schedule, schedule.transfers, { dueAt, state: 'missed' }))
  else await begin(parts, schedule, dueAt)
}

/**
 * @returns whether it went without trouble; what the trouble was is kept with the schedule
 * @example await advance({ chain, sign, keep, now }, () => store.get(setId))
 */
export async function advance(parts: PayParts, read: () => Schedule | undefined): Promise<boolean> {
  const schedule = read()
  if (!schedule) return true
  try {
    await step(parts, schedule)
    return true
  } catch (thrown) {
    const latest = read()
    if (latest) parts.keep({ ...latest, trouble: problemOf(thrown) })
    return false
  }
}
