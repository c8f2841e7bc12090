/** Sends queued notices. A mail server that is away or refuses delays them; it never undoes what they report. */
import { setTimeout } from 'node:timers/promises'
import { asc, eq, lte, sql } from 'drizzle-orm'
import { notices } from '../db/schema.js'
import type { Services } from '../services.js'

/** Longest time that a request waits for its own notices, in ms. */
const MAX_WAIT_MS = 1_000
const FIRST_RETRY_MS = 60_000
/** With the doubling of each delay, the last attempt is about four hours after the first. */
const MAX_ATTEMPTS = 9
const MAX_PER_PASS = 50

/** Added to the last notice of its kind for a day. */
const IS_LAST =
  'Your account had many events of this kind today. For up to a day, further ones are only in the security log of your account.'

type Parts = Pick<Services, 'db' | 'clock' | 'delivery' | 'log' | 'limits'>
type Notice = typeof notices.$inferSelect

export interface Notices {
  /** Sends what is due. Never fails. */
  deliver(): Promise<void>
  /** Like `deliver`, but returns in time for a response. */
  deliverSoon(): Promise<void>
}

export function createNotices(parts: Parts): Notices {
  let last = Promise.resolve()
  /** Pass that has not begun, so it will see every notice that exists now. */
  let next: Promise<void> | undefined
  const deliver = (): Promise<void> => {
    next ??= last.then(() => {
      next = undefined
      last = sendDue(parts).catch(error => logFailure(parts, error))
      return last
    })
    return next
  }
  return {
    deliver,
    async deliverSoon() {
      const waiting = new AbortController()
      const late = setTimeout(MAX_WAIT_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined)
      await Promise.race([deliver(), late])
      waiting.abort()
    },
  }
}

function logFailure({ log }: Parts, error: unknown): void {
  log({ level: 'error', message: 'notices failed', error: error instanceof Error ? error.name : 'unknown' })
}

async function sendDue(parts: Parts): Promise<void> {
  for (let sent = 0; sent < MAX_PER_PASS; sent++) {
    const notice = await claim(parts)
    if (!notice) return
    await send(parts, notice)
  }
}

/** Takes one notice and sets its next attempt, so that no other instance sends it and a kill does not lose it. */
function claim({ db, clock }: Parts) {
  const now = clock.now()
  return db.transaction(async tx => {
    const [due] = await tx
      .select()
      .from(notices)
      .where(lte(notices.dueAt, now))
      .orderBy(asc(notices.dueAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return undefined
    const dueAt = now + FIRST_RETRY_MS * 2 ** due.attempts
    await tx
      .update(notices)
      .set({ attempts: sql`${notices.attempts} + 1`, dueAt })
      .where(eq(notices.id, due.id))
    return { ...due, attempts: due.attempts + 1 }
  })
}

/** Counts a notice once, at its first attempt. @returns the text to send; undefined if the mailbox had enough of them */
async function fitToBudget({ limits, log }: Parts, notice: Notice): Promise<string | undefined> {
  const { address, subject, text, attempts, environmentId } = notice
  if (attempts > 1) return text
  // The subject is the kind of event.
  const who = JSON.stringify([environmentId, address, subject])
  if (await limits.isWithin('notices per address, kind and day', who)) return text
  if (await limits.isWithin('last notice per address, kind and day', who)) return `${text}\n\n${IS_LAST}`
  log({ level: 'warn', message: 'a notice is only in the security log: its mailbox had too many', environmentId })
  return undefined
}

async function send(parts: Parts, notice: Notice): Promise<void> {
  const { db, delivery, log } = parts
  const { id, address, subject, attempts, environmentId } = notice
  const text = await fitToBudget(parts, notice)
  try {
    if (text !== undefined) await delivery.mail(address, subject, text)
  } catch {
    // The delivery has logged the reason.
    if (attempts < MAX_ATTEMPTS) return
    log({ level: 'error', message: 'a security notice was given up', environmentId })
  }
  await db.delete(notices).where(eq(notices.id, id))
}
