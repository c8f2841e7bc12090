/**
 * Completes an activity: decides, runs it and stores the result. All of it happens in one transaction on the locked
 * row, so any process can complete an activity that a crashed process left open, and no activity runs twice.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { record } from '../audit.js'
import type { Database } from '../db/open.js'
import { activities, organizations, policies, users, votes } from '../db/schema.js'
import { CustodyError, internalError, permissionDenied } from '../http/errors.js'
import { decide, type Outcome } from '../policy/decide.js'
import type { JsonObject } from '../protocol.js'
import type { Services } from '../services.js'
import { isCounted } from './demand.js'
import type { ActivityKind, Running } from './kind.js'
import { getKind } from './kinds.js'

export type ActivityRow = typeof activities.$inferSelect
export interface Advanced {
  readonly row: ActivityRow
  /** Reason for a failure in this call. */
  readonly error?: CustodyError
}

const OPEN = ['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING', 'ACTIVITY_STATUS_CONSENSUS_NEEDED']

export function isOpen({ status }: ActivityRow): boolean {
  return OPEN.includes(status)
}

/** @throws database errors as they are; the activity is then unchanged */
export async function advance(services: Services, activityId: string): Promise<Advanced> {
  try {
    return { row: await services.db.transaction(tx => attempt(services, tx, activityId)) }
  } catch (error) {
    if (!(error instanceof CustodyError)) throw error
    return { row: await services.db.transaction(tx => fail(services, tx, activityId, error)), error }
  }
}

export async function locked(tx: Database, activityId: string): Promise<ActivityRow> {
  const [row] = await tx.select().from(activities).where(eq(activities.id, activityId)).for('update')
  if (!row) throw new CustodyError(internalError)
  return row
}

async function attempt(services: Services, tx: Database, activityId: string): Promise<ActivityRow> {
  const row = await locked(tx, activityId)
  const kind = getKind(row.type)
  if (!isOpen(row) || !kind) return row
  const now = services.clock.now()
  const { organizationId, userId } = row
  const running: Running = { tx, services, organizationId, activityId, userId, now }
  const outcome = await getOutcome(running, kind, row)
  if (outcome === 'deny') throw new CustodyError(permissionDenied)
  if (outcome === 'consensus') return settle(running, row, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', {})
  const result: JsonObject = { [kind.result]: await kind.run(running, row.parameters) }
  return settle(running, row, 'ACTIVITY_STATUS_COMPLETED', { result })
}

async function fail(services: Services, tx: Database, activityId: string, { spec, message }: CustodyError) {
  const row = await locked(tx, activityId)
  if (!isOpen(row)) return row
  const { organizationId, userId } = row
  const running = { tx, services, organizationId, activityId, userId, now: services.clock.now() }
  return settle(running, row, 'ACTIVITY_STATUS_FAILED', { failure: { code: spec.code, message } })
}

const WHAT = {
  ACTIVITY_STATUS_COMPLETED: 'completed',
  ACTIVITY_STATUS_FAILED: 'failed',
  ACTIVITY_STATUS_REJECTED: 'rejected',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'consensus-needed',
} as const

export async function settle(
  { tx, organizationId, userId, now }: Pick<Running, 'tx' | 'organizationId' | 'userId' | 'now'>,
  { id, type, fingerprint }: ActivityRow,
  status: keyof typeof WHAT,
  rest: Partial<Pick<ActivityRow, 'result' | 'failure'>>,
): Promise<ActivityRow> {
  const [row] = await tx
    .update(activities)
    .set({ status, updatedAt: now, ...rest })
    .where(eq(activities.id, id))
    .returning()
  if (!row) throw new CustodyError(internalError)
  await record(tx, organizationId, { at: now, activityId: id, type, what: WHAT[status], userId, fingerprint })
  return row
}

async function getOutcome(running: Running, kind: ActivityKind, row: ActivityRow): Promise<Outcome> {
  const { tx, organizationId, userId } = running
  // The permission check has already limited the parent's key and recovery keys to these activities.
  if (kind.by !== undefined) return 'allow'
  const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
  if (!organization) return 'deny'
  const approvalRows = await tx
    .select({ vote: votes, user: users })
    .from(votes)
    .innerJoin(users, eq(users.id, votes.userId))
    .where(and(eq(votes.activityId, row.id), eq(votes.selection, 'VOTE_SELECTION_APPROVED')))
  for (const { vote: stamp } of approvalRows)
    if (stamp.userId === userId && (await kind.isOwnAffair({ tx, organizationId, stamp }, row.parameters)))
      return 'allow'
  // Check the votes again: a vote that counted when it arrived may no longer count.
  const begun = { tx, row, kind, approvals: approvalRows.map(({ vote }) => vote) }
  const approvals: typeof approvalRows = []
  for (const approval of approvalRows) if (await isCounted(begun, approval.vote)) approvals.push(approval)
  const rules = await tx.select().from(policies).where(eq(policies.organizationId, organizationId))
  const subject = await kind.subject(running, row.parameters)
  const { action, resource } = kind
  const { rootUserIds, rootThreshold } = organization
  const actsAs = kind.actsAs(row.parameters)
  return decide({
    rootUserIds,
    rootThreshold,
    approverIds: approvals.map(({ user }) => user.id),
    ...(actsAs !== undefined && actsAs !== userId && { requiredId: actsAs }),
    rules,
    facts: {
      activity: { type: row.type, action, resource, params: row.parameters },
      approvers: approvals.map(({ user }) => ({ id: user.id, email: user.email ?? undefined })),
      credentials: approvals.map(({ vote }) => ({ public_key: vote.publicKey, scheme: vote.scheme })),
      ...subject,
    },
  })
}

/** Completes the activities that a crashed process left open. Any instance may do so. */
export async function resume(services: Services): Promise<number> {
  const left = await services.db
    .select({ id: activities.id })
    .from(activities)
    .where(inArray(activities.status, ['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING']))
  for (const { id } of left) await advance(services, id)
  return left.length
}
