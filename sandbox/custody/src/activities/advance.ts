/**
 * Completes an activity: decides, runs it and stores the result. It changes the database in one transaction on the
 * locked row, or in one statement, so any process can complete an activity that a crashed process left open, and no
 * activity is completed twice.
 */
import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { appending, entryValues } from '../audit.js'
import type { Database } from '../db/open.js'
import { activities } from '../db/schema.js'
import { CustodyError, internalError, permissionDenied } from '../http/errors.js'
import { decide, type Outcome } from '../policy/decide.js'
import type { JsonObject } from '../protocol.js'
import type { Services } from '../services.js'
import { isCounted } from './demand.js'
import { type DecidingFacts, readFacts } from './facts.js'
import { type ActivityKind, getSigner, type Running } from './kind.js'
import { getKind } from './kinds.js'

export type ActivityRow = typeof activities.$inferSelect
export interface Advanced {
  readonly row: ActivityRow
  /** Reason for a failure in this call. */
  readonly error?: CustodyError
}

const OPEN = ['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING', 'ACTIVITY_STATUS_CONSENSUS_NEEDED'] as const

export function isOpen({ status }: ActivityRow): boolean {
  return OPEN.some(open => open === status)
}

/**
 * @param facts read together with a new activity; only an activity that needs no lock is decided by them
 * @throws database errors as they are; the activity is then unchanged
 */
export async function advance(services: Services, row: ActivityRow, facts?: DecidingFacts): Promise<Advanced> {
  const { db } = services
  try {
    // An activity that writes nothing needs no lock: only its outcome changes the database.
    if (getKind(row.type)?.writesNothing) return { row: await attempt(services, db, row, facts) }
    return { row: await db.transaction(async tx => attempt(services, tx, await locked(tx, row))) }
  } catch (error) {
    if (!(error instanceof CustodyError)) throw error
    const failure = { code: error.spec.code, message: error.message }
    return { row: await settle(db, row, 'ACTIVITY_STATUS_FAILED', services.clock.now(), { failure }), error }
  }
}

/** Key of an activity. The time leads to the partition of its month. */
export type ActivityKey = Pick<ActivityRow, 'id' | 'createdAt'>

function isActivity({ id, createdAt }: ActivityKey) {
  return and(eq(activities.id, id), eq(activities.createdAt, createdAt))
}

export async function locked(tx: Database, key: ActivityKey): Promise<ActivityRow> {
  const [row] = await tx.select().from(activities).where(isActivity(key)).for('update')
  if (!row) throw new CustodyError(internalError)
  return row
}

async function attempt(
  services: Services,
  tx: Database,
  row: ActivityRow,
  known?: DecidingFacts,
): Promise<ActivityRow> {
  const kind = getKind(row.type)
  if (!isOpen(row) || !kind) return row
  const now = services.clock.now()
  const { id: activityId, organizationId, userId, parameters } = row
  // The permission check has already limited the parent's key and recovery keys to these activities.
  const isPermitted = kind.by !== undefined
  const keyName = kind.keyName(parameters)
  const read = () => readFacts(tx, services, { activityId, organizationId, keyName })
  const facts = isPermitted ? undefined : (known ?? (await read()))
  const running: Running = { tx, services, organizationId, activityId, userId, now, signer: facts?.signer }
  if (keyName !== undefined) getSigner(running)
  const outcome = facts ? await getOutcome(running, kind, row, facts) : 'allow'
  if (outcome === 'deny') throw new CustodyError(permissionDenied)
  if (outcome === 'consensus') return settle(tx, row, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', now)
  const result: JsonObject = { [kind.result]: await kind.run(running, parameters) }
  return settle(tx, row, 'ACTIVITY_STATUS_COMPLETED', now, { result })
}

const WHAT = {
  ACTIVITY_STATUS_COMPLETED: 'completed',
  ACTIVITY_STATUS_FAILED: 'failed',
  ACTIVITY_STATUS_REJECTED: 'rejected',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'consensus-needed',
} as const

/** One statement, so that an activity and its entry in the audit log change together without a transaction. */
const getSettlement = buildOnce((db: Database) => {
  const at = sql.placeholder
  const settled = db.$with('settled').as(
    db
      .update(activities)
      .set({
        status: sql`${at('status')}`,
        updatedAt: sql`${at('now')}`,
        result: sql`${at('result')}::text::jsonb`,
        failure: sql`${at('failure')}::text::jsonb`,
      })
      .where(
        and(
          eq(activities.id, at('activityId')),
          eq(activities.createdAt, at('createdAt')),
          inArray(activities.status, OPEN),
        ),
      )
      .returning(getTableColumns(activities)),
  )
  const [head, entry] = appending(db, sql`exists (select from ${settled})`)
  return db.with(settled, head, entry).select().from(settled).prepare('settle')
})

/** Stores the outcome of an open activity. Returns the activity as it is: another process may have settled it before. */
export async function settle(
  db: Database,
  activity: ActivityRow,
  status: keyof typeof WHAT,
  now: number,
  { result, failure }: { readonly result?: JsonObject; readonly failure?: ActivityRow['failure'] } = {},
): Promise<ActivityRow> {
  const { id: activityId, createdAt, organizationId, type, userId, fingerprint } = activity
  const [row] = await getSettlement(db).execute({
    ...{ activityId, createdAt, status, now },
    result: result ? JSON.stringify(result) : null,
    failure: failure ? JSON.stringify(failure) : null,
    ...entryValues(organizationId, { at: now, activityId, type, what: WHAT[status], userId, fingerprint }),
  })
  return row ?? getActivity(db, activity)
}

async function getActivity(db: Database, key: ActivityKey): Promise<ActivityRow> {
  const [row] = await db.select().from(activities).where(isActivity(key))
  if (!row) throw new CustodyError(internalError)
  return row
}

async function getOutcome(
  running: Running,
  kind: ActivityKind,
  row: ActivityRow,
  { organization: { rootUserIds, rootThreshold }, approvals, rules }: DecidingFacts,
): Promise<Outcome> {
  const { tx, organizationId, userId } = running
  for (const { vote: stamp } of approvals)
    if (stamp.userId === userId && (await kind.isOwnAffair({ tx, organizationId, stamp }, row.parameters)))
      return 'allow'
  // Check the votes again: a vote that counted when it arrived may no longer count.
  const begun = { tx, row, kind, approvals: approvals.map(({ vote }) => vote) }
  const counted: DecidingFacts['approvals'][number][] = []
  for (const approval of approvals) if (await isCounted(begun, approval.vote)) counted.push(approval)
  const subject = await kind.subject(running, row.parameters)
  const { action, resource } = kind
  const actsAs = kind.actsAs(row.parameters)
  return decide({
    rootUserIds,
    rootThreshold,
    approverIds: counted.map(({ user }) => user.id),
    ...(actsAs !== undefined && actsAs !== userId && { requiredId: actsAs }),
    rules,
    facts: {
      activity: { type: row.type, action, resource, params: row.parameters },
      approvers: counted.map(({ user }) => ({ id: user.id, email: user.email ?? undefined })),
      credentials: counted.map(({ vote }) => ({ public_key: vote.publicKey, scheme: vote.scheme })),
      ...subject,
    },
  })
}

/** Completes the activities that a crashed process left open. Any instance may do so. */
export async function resume(services: Services): Promise<number> {
  const left = await services.db
    .select()
    .from(activities)
    .where(inArray(activities.status, ['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING']))
  for (const row of left) await advance(services, row)
  return left.length
}
