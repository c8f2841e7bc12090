/** Accepts a request for an activity: checks it, stores it once and completes it. */
import { createHash, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { activities, votes } from '../db/schema.js'
import {
  CustodyError,
  permissionDenied,
  required,
  resourceNotFound,
  timestampOutside,
  typeMismatch,
} from '../http/errors.js'
import type { Admission } from '../limits.js'
import type { Services } from '../services.js'
import { type Actor, assertNotBlocked, authenticate } from '../stamps/authenticate.js'
import { type ActivityRow, type Advanced, advance, isOpen, settle } from './advance.js'
import { removeVoid, standing } from './approvals.js'
import { assertDemand, insufficient, isCounted } from './demand.js'
import { type ActivityKind, isJson, parse, type Stamp } from './kind.js'
import { getKind, voteKinds } from './kinds.js'

/** The passkey prompt may stay open for 300 s before the request is sent (S9.3). */
const OLDEST = 15 * 60_000
const NEWEST = 5 * 60_000

const envelope = v.strictObject({
  type: v.string(),
  timestampMs: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
  organizationId: v.pipe(v.string(), v.maxLength(64)),
  parameters: v.pipe(v.unknown(), v.check(isJson, 'Not JSON')),
  generateAppProofs: v.optional(v.literal(false)),
})

export interface Submission {
  readonly kind: ActivityKind
  readonly rawBody: string
  readonly body: unknown
  readonly admission: Admission
  header(name: string): string | undefined
  /** Keeps work running after the response. */
  later(work: Promise<unknown>): void
}

function getFingerprint(body: string): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

/** @throws CustodyError when the request is refused or the activity fails at once */
export async function submit(services: Services, submission: Submission): Promise<ActivityRow> {
  const { kind, rawBody, header } = submission
  const { type, timestampMs, organizationId, parameters } = parse(envelope, submission.body)
  if (!kind.types.includes(type)) throw new CustodyError(typeMismatch)
  const fingerprint = getFingerprint(rawBody)
  const actor = await authenticate(services, { organizationId, body: rawBody, fingerprint, header })
  await services.limits.count(actor.organizationId, 'activity', submission.admission)
  // The operator's own key must not act for an organization that it has blocked.
  await assertNotBlocked(services, organizationId)
  const age = services.clock.now() - timestampMs
  if (age > OLDEST || age < -NEWEST) throw new CustodyError(timestampOutside, { now: String(services.clock.now()) })
  permit(services, kind, actor, organizationId)
  await assertDemand(kind, { tx: services.db, organizationId, stamp: actor }, parameters)
  if (!isJson(parameters)) throw new CustodyError(typeMismatch)
  parse(kind.parameters, parameters)
  kind.check(actor, parameters)
  await services.limits.pay(actor.organizationId, kind.cost(parameters))
  if (voteKinds.includes(kind)) return vote(services, actor, organizationId, kind, parse(fingerprintOnly, parameters))

  const row = await writeDown(services, actor, { organizationId, fingerprint, type, parameters })
  if (!isOpen(row)) return answer({ row })
  const work = advance(services, row.id)
  submission.later(work)
  return answer(await patiently(services, work, row))
}

/** Stores the activity and its first vote in one transaction, so that an instance that resumes it finds both. */
function writeDown(
  { db, clock }: Services,
  actor: Actor,
  activityFields: Pick<ActivityRow, 'organizationId' | 'fingerprint' | 'type' | 'parameters'>,
): Promise<ActivityRow> {
  return db.transaction(async tx => {
    const now = clock.now()
    const [fresh] = await tx
      .insert(activities)
      .values({
        id: randomUUID(),
        ...activityFields,
        status: 'ACTIVITY_STATUS_CREATED',
        result: null,
        failure: null,
        userId: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning()
    const row = fresh ?? (await byFingerprint(tx, activityFields.organizationId, activityFields.fingerprint))
    await addVote(tx, row, actor, 'VOTE_SELECTION_APPROVED', now)
    return row
  })
}

/** Checks which credential may run this kind of activity, before any policy. */
function permit({ operatorId }: Services, { by }: ActivityKind, actor: Actor, organizationId: string): void {
  const isRecovery = actor.credential === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
  const isOwn = actor.organizationId === organizationId
  if (isRecovery !== (by === 'recovery') || actor.isSpent) throw new CustodyError(permissionDenied)
  if (isOwn === (by === 'parent')) throw new CustodyError(permissionDenied)
  if (by === 'operator' && organizationId !== operatorId) throw new CustodyError(permissionDenied)
}

async function byFingerprint(db: Database, organizationId: string, fingerprint: string): Promise<ActivityRow> {
  const [row] = await db
    .select()
    .from(activities)
    .where(and(eq(activities.organizationId, organizationId), eq(activities.fingerprint, fingerprint)))
  return required(row, 'activity')
}

async function addVote(
  db: Database,
  { id: activityId }: ActivityRow,
  { userId, credential, credentialId, isVerified, publicKey, signature, scheme }: Actor,
  selection: (typeof votes.$inferSelect)['selection'],
  createdAt: number,
): Promise<void> {
  await db
    .insert(votes)
    .values({
      id: randomUUID(),
      activityId,
      userId,
      credential,
      credentialId,
      isVerified,
      selection,
      publicKey,
      signature,
      scheme,
      createdAt,
    })
    .onConflictDoNothing()
}

/** Requires of a vote the stamp that the activity itself requires. @throws CustodyError `PERMISSION_DENIED` */
async function assertMayVote(tx: Database, row: ActivityRow, stamp: Stamp, now: number): Promise<void> {
  const kind = getKind(row.type)
  if (!kind) throw new CustodyError(resourceNotFound, { resource: 'activity' })
  const castVotes = await tx.select().from(votes).where(eq(votes.activityId, row.id))
  const approvals = standing(row, castVotes, now).filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
  if (!(await isCounted({ tx, row, kind, approvals }, stamp))) throw insufficient(kind)
}

const fingerprintOnly = v.object({ fingerprint: v.string() })

async function vote(
  services: Services,
  actor: Actor,
  organizationId: string,
  kind: ActivityKind,
  { fingerprint }: v.InferOutput<typeof fingerprintOnly>,
): Promise<ActivityRow> {
  const row = await byFingerprint(services.db, organizationId, fingerprint)
  const now = services.clock.now()
  await assertMayVote(services.db, row, actor, now)
  if (row.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') return row
  if (kind.path === 'approve_activity') {
    await services.db.transaction(async tx => {
      await removeVoid(tx, row.id, now)
      await addVote(tx, row, actor, 'VOTE_SELECTION_APPROVED', now)
    })
    return answer(await advance(services, row.id))
  }
  await addVote(services.db, row, actor, 'VOTE_SELECTION_REJECTED', now)
  return services.db.transaction(async tx => {
    const [current] = await tx.select().from(activities).where(eq(activities.id, row.id)).for('update')
    if (current?.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') return current ?? row
    return settle({ tx, organizationId, userId: actor.userId, now }, current, 'ACTIVITY_STATUS_REJECTED', {})
  })
}

async function patiently({ patience }: Services, work: Promise<Advanced>, row: ActivityRow): Promise<Advanced> {
  const pending: Advanced = { row: { ...row, status: 'ACTIVITY_STATUS_PENDING' } }
  if (patience === 0) return pending
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Advanced>(resolve => {
    timer = setTimeout(resolve, patience, pending)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function answer({ row, error }: Advanced): ActivityRow {
  if (error) throw new CustodyError(error.spec, { ...error.details, activityId: row.id })
  return row
}
