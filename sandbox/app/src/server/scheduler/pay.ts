/** Advances one schedule by one step: signs, sends or checks at most one transaction. */
import { isKeybayError, type KeybayError } from '@keybay/kernel'
import { getSignature, type PaymentChain } from './chain.js'
import { begunAt, nextDue, type Problem, type Schedule, type Transfer } from './schedule.js'

/** The relays already know, or have forgotten the ceremony after a long time; the first payment then shows which. */
const KNOWN: ReadonlySet<string> = new Set(['ceremony_state', 'ceremony_not_found'])

export function isKnown(error: unknown): boolean {
  return isKeybayError(error) && KNOWN.has(error.code)
}

/** The relay did not respond or is temporarily unavailable; the share is still valid. */
export function isPassing(error: unknown): boolean {
  if (!isKeybayError(error) || error.code === 'frame_relay_unreachable') return true
  return error.status !== undefined && (error.status >= 500 || error.status === 429)
}

export interface PayParts {
  readonly chain: PaymentChain
  /** @throws KeybayError of the relay */
  readonly sign: (schedule: Schedule, transaction: Uint8Array) => Promise<Uint8Array>
  /** Confirms to the relays that the share was accepted. @throws KeybayError of `Delegate.accept` */
  readonly accept: (schedule: Schedule) => Promise<void>
  /** Writes to disk before it returns. */
  readonly keep: (schedule: Schedule) => void
  /** ms since epoch */
  readonly now: () => number
}

/**
 * Errors after which every attempt fails: the user revoked the share set, the policy forbids the payment, or the
 * operator removed this server from the list.
 */
const FINAL: ReadonlySet<string> = new Set(['set_revoked', 'policy_refused', 'unauthorized'])
/** A signed transaction that never arrived still counts for a day; after that the limit frees up. */
function isFull({ details }: KeybayError): boolean {
  return Reflect.get(Object(details), 'rule') === 'daily-limit'
}

function isFinal(error: unknown): boolean {
  return isKeybayError(error) && FINAL.has(error.code) && !isFull(error)
}

function getProblem(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  return { code: isKeybayError(error) ? error.code : 'unreachable', message }
}

function without(schedule: Schedule): Schedule {
  const { trouble: _, ...rest } = schedule
  return rest
}
function ending(schedule: Schedule, transfers: readonly Transfer[], last: Transfer): Schedule {
  return { ...without(schedule), transfers: [...transfers, last] }
}

/**
 * Signs for a due time. Stores the signature before sending, so that a restart checks the chain instead of paying
 * again.
 */
async function begin(parts: PayParts, schedule: Schedule, dueAt: number): Promise<void> {
  const { chain, sign, keep } = parts
  const { from, to, lamports, transfers } = schedule
  const { bytes, lastValidBlockHeight } = await chain.build({ from, to, lamports: BigInt(lamports) })
  let signed: Uint8Array
  try {
    signed = await sign(schedule, bytes)
  } catch (thrown) {
    if (!isFinal(thrown)) throw thrown
    const error = getProblem(thrown)
    keep({ ...ending(schedule, transfers, { dueAt, state: 'failed', error }), stopped: error })
    return
  }
  const signature = getSignature(signed)
  const pending = { bytes: Buffer.from(signed).toString('base64'), lastValidBlockHeight }
  keep(ending(schedule, transfers, { dueAt, state: 'sent', signature, pending }))
  const error = await chain.send(signed)
  if (error) keep(ending(schedule, transfers, { dueAt, state: 'failed', signature, error }))
}

/** Determines the outcome of a transaction that may have been sent. */
async function settle({ chain, keep }: PayParts, schedule: Schedule, last: Transfer): Promise<void> {
  const before = schedule.transfers.slice(0, -1)
  const { dueAt, signature, pending } = last
  if (signature === undefined || pending === undefined)
    return keep(ending(schedule, before, { ...last, state: 'failed' }))
  const outcome = await chain.outcome(signature, pending.lastValidBlockHeight)
  if (outcome === 'paid') keep(ending(schedule, before, { dueAt, state: 'paid', signature }))
  // It can never arrive, so the due time is open again.
  else if (outcome === 'gone') keep({ ...without(schedule), transfers: before })
  else if (outcome === 'unknown') {
    // Resending the same bytes cannot pay twice, and an error from the node is not final.
    await chain.send(Buffer.from(pending.bytes, 'base64')).catch(() => undefined)
  } else keep(ending(schedule, before, { dueAt, state: 'failed', signature, error: outcome }))
}

/** Accepts a share after this server was stopped, or the relays were unavailable, halfway. */
async function admit({ accept, keep, now }: PayParts, schedule: Schedule): Promise<void> {
  try {
    await accept(schedule)
  } catch (error) {
    if (isPassing(error)) throw error
    if (!isKnown(error)) return keep({ ...without(schedule), stopped: getProblem(error) })
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
  // Late by a whole period: the next payment is due, and the user did not agree to two at once.
  const isMissed = now >= dueAt + schedule.every * 1000
  if (isMissed) parts.keep(ending(schedule, schedule.transfers, { dueAt, state: 'missed' }))
  else await begin(parts, schedule, dueAt)
}

/**
 * Advances the schedule by one step.
 * @returns whether the step succeeded; the schedule stores the error
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
    if (latest) parts.keep({ ...latest, trouble: getProblem(thrown) })
    return false
  }
}
