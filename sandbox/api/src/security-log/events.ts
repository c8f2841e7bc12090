/** Records what happens to an account, in the transaction of the change itself, and queues the mail about it. */
import { randomUUID } from 'node:crypto'
import type { SecurityEventKind } from '@keybay/kernel/spec'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { credentials, notices, securityEvents } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { noticeText } from './notice-text.js'
import { describePlace } from './place.js'

/** Maximum number of a user's mailboxes that get a notice. */
const MAX_RECIPIENTS = 10

export interface SecurityEvent {
  readonly userId: string
  readonly kind: SecurityEventKind
  /** Sign-in method, factor or wallet address; never a secret. */
  readonly detail?: string | undefined
  /** False for an event that the user's own request did not cause. */
  readonly isHere?: boolean
  /** ID of an event that may be reported twice. */
  readonly id?: string
  readonly notice?: {
    /** Further addresses, such as one that the change has removed. */
    readonly alsoTo?: readonly string[]
    /** Address that the change has added. */
    readonly notTo?: string | undefined
  }
  /** Records the event without a mail. */
  readonly isQuiet?: boolean
}

type Writer = Pick<Database, 'select' | 'insert'>

/** Records an event, unless it was recorded before. @param tx the transaction of the change */
export async function recordEvent(call: Call, tx: Writer, event: SecurityEvent): Promise<void> {
  const { services, environment } = call
  const { userId, kind, detail, isHere = true, id = randomUUID(), isQuiet = false } = event
  const place = isHere ? describePlace(call) : undefined
  const at = services.clock.now()
  const owner = { id, environmentId: environment.id, userId }
  const row = { ...owner, kind, at, device: place?.device, network: place?.network, detail }
  const [isNew] = await tx.insert(securityEvents).values(row).onConflictDoNothing().returning({ id: securityEvents.id })
  if (!isNew) return
  call.note({ securityEvent: kind })
  const mail = isQuiet ? undefined : noticeText({ kind, name: environment.name, at, place, detail })
  if (!mail) return
  const addresses = await getRecipients(tx, event)
  if (addresses.length === 0) return
  const queued = { environmentId: environment.id, ...mail, attempts: 0, dueAt: at }
  await tx.insert(notices).values(addresses.map(address => ({ ...queued, id: randomUUID(), address })))
}

export async function getMailboxes(tx: Pick<Writer, 'select'>, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ address: credentials.subject })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.method, 'email')))
    .orderBy(credentials.createdAt)
    .limit(MAX_RECIPIENTS)
  return rows.map(({ address }) => address)
}

async function getRecipients(tx: Writer, { userId, notice }: SecurityEvent): Promise<string[]> {
  const all = new Set([...(await getMailboxes(tx, userId)), ...(notice?.alsoTo ?? [])])
  return [...all].filter(address => address !== notice?.notTo)
}

/** Copies the log of a user who is being merged into another, and keeps its times. */
export async function moveEvents(tx: Pick<Database, 'execute'>, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    insert into security_events (id, environment_id, user_id, kind, at, device, network, detail)
    select gen_random_uuid()::text, environment_id, ${to}, kind, at, device, network, detail
    from security_events where user_id = ${from} order by at, sequence
    on conflict do nothing`)
}

/** Returns a page of the log, the newest event first. @param before ID of the last event of the page before */
export async function readEvents(
  db: Pick<Database, 'select'>,
  userId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
) {
  const { at, sequence } = securityEvents
  const older =
    before === undefined
      ? undefined
      : sql`(${at}, ${sequence}) < (select at, sequence from security_events where id = ${before} and user_id = ${userId})`
  const rows = await db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, userId), older))
    .orderBy(desc(at), desc(sequence))
    .limit(limit + 1)
  const events = rows.slice(0, limit)
  return { events, next: rows.length > limit ? (events.at(-1)?.id ?? null) : null }
}
