/** Accepts a request for an activity: checks it, stores it once and completes it. */
import { createHash, randomUUID } from 'node:crypto'
import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { activities, fingerprints, organizations, users, votes } from '../db/schema.js'
import {
  CustodyError,
  organizationBlocked,
  permissionDenied,
  required,
  resourceNotFound,
  timestampOutside,
  typeMismatch,
} from '../http/errors.js'
import type { Admission, Cost } from '../limits.js'
import type { Json } from '../protocol.js'
import type { Services } from '../services.js'
import { type Actor, authenticate } from '../stamps/authenticate.js'
import { type ActivityRow, type Advanced, advance, isOpen, settle } from './advance.js'
import { removeVoid, standing } from './approvals.js'
import { assertDemand, insufficient, isCounted } from './demand.js'
import { type DecidingFacts, factColumns, factsOf } from './facts.js'
import { type ActivityKind, isJson, parse, type Stamp } from './kind.js'
import { getKind, voteKinds } from './kinds.js'

/** The passkey prompt may stay open for 300 s before the request is sent (S9.3). */
const OLDEST = 15 * 60_000
const NEWEST = 5 * 60_000

const envelope = v.strictObject({
  type: v.string(),
  timestampMs: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
  organizationId: v.pipe(v.string(), v.maxLength(64)),
  parameters: v.custom<Json>(isJson, 'Not JSON'),
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
  const request = parse(envelope, submission.body)
  const { type, organizationId, parameters } = request
  if (!kind.types.includes(type)) throw new CustodyError(typeMismatch)
  const fingerprint = getFingerprint(rawBody)
  const actor = await authenticate(services, { organizationId, body: rawBody, fingerprint, header })
  await countRequest(services, submission, actor, () => check(services, kind, actor, request))
  await assertDemand(kind, { tx: services.db, organizationId, stamp: actor }, parameters)
  if (voteKinds.includes(kind)) return vote(services, actor, organizationId, kind, parse(fingerprintOnly, parameters))

  const { row, facts } = await writeDown(services, kind, actor, { organizationId, fingerprint, type, parameters })
  if (!isOpen(row)) return answer({ row })
  const work = advance(services, row, facts)
  submission.later(work)
  return answer(await patiently(services, work, row))
}

/**
 * Counts a request and what it costs, in one statement and before any other work. A refused request counts too.
 * @param getCost @throws CustodyError for a refused request
 */
async function countRequest(
  { limits }: Services,
  { admission }: Submission,
  { organizationId }: Actor,
  getCost: () => Cost,
): Promise<void> {
  let cost: Cost
  try {
    cost = getCost()
  } catch (error) {
    await limits.count(organizationId, 'activity', admission)
    throw error
  }
  await limits.count(organizationId, 'activity', admission, cost)
}

/** Checks a request as far as no database is needed. @returns its cost @throws CustodyError */
function check(
  services: Services,
  kind: ActivityKind,
  actor: Actor,
  { timestampMs, organizationId, parameters }: v.InferOutput<typeof envelope>,
): Cost {
  // The operator's own key must not act for an organization that it has blocked.
  if (actor.isBlocked) throw new CustodyError(organizationBlocked)
  const now = services.clock.now()
  const age = now - timestampMs
  if (age > OLDEST || age < -NEWEST) throw new CustodyError(timestampOutside, { now: String(now) })
  permit(services, kind, actor, organizationId)
  parse(kind.parameters, parameters)
  kind.check(actor, parameters)
  return kind.cost(parameters)
}

/**
 * One statement, so that an instance that resumes the activity finds its first vote too. It also reads what decides the
 * activity, because a statement takes more processor time than what it reads.
 */
const getNewActivity = buildOnce((db: Database) => {
  const at = sql.placeholder
  const first = db.$with('first').as(
    db
      .insert(fingerprints)
      .values({
        organizationId: at('organizationId'),
        fingerprint: at('fingerprint'),
        activityId: at('id'),
        createdAt: at('now'),
      })
      .onConflictDoNothing()
      .returning(getTableColumns(fingerprints)),
  )
  const activity = sql`select "activity_id", "organization_id", "fingerprint", ${at('type')}::text, 'ACTIVITY_STATUS_CREATED',
    ${at('parameters')}::text::jsonb, null::jsonb, null::jsonb, ${at('userId')}::text, "created_at", "created_at" from ${first}`
  const written = db.$with('written').as(db.insert(activities).select(activity).returning(getTableColumns(activities)))
  const vote = sql`select ${at('voteId')}::text, "id", "user_id", 'VOTE_SELECTION_APPROVED', ${at('credential')}::text,
    ${at('credentialId')}::text, ${at('isVerified')}::boolean, ${at('publicKey')}::text, ${at('signature')}::text,
    ${at('scheme')}::text, "created_at" from ${written}`
  const approved = db.$with('approved').as(db.insert(votes).select(vote))
  return db
    .with(first, written, approved)
    .select({ row: written._.selectedFields, user: { id: users.id, email: users.email }, ...factColumns() })
    .from(written)
    .leftJoin(organizations, eq(organizations.id, written.organizationId))
    .leftJoin(users, eq(users.id, written.userId))
    .prepare('write-down')
})

/** Stores the activity once, with the vote of the user. @returns also what decides a new activity */
async function writeDown(
  services: Services,
  kind: ActivityKind,
  actor: Actor,
  activityFields: Pick<ActivityRow, 'organizationId' | 'fingerprint' | 'type' | 'parameters'>,
): Promise<{ readonly row: ActivityRow; readonly facts?: DecidingFacts }> {
  const { db } = services
  const now = services.clock.now()
  const keyName = kind.keyName(activityFields.parameters) ?? null
  const ids = { id: randomUUID(), voteId: randomUUID() }
  const { userId, credential, credentialId, isVerified, publicKey, signature, scheme } = actor
  const vote = { userId, credential, credentialId, isVerified, publicKey, signature, scheme }
  const [fresh] = await getNewActivity(db).execute({
    ...ids,
    ...activityFields,
    parameters: JSON.stringify(activityFields.parameters),
    ...vote,
    keyName,
    now,
  })
  if (fresh) {
    const { row, user, organization, ...rest } = fresh
    if (!organization) return { row }
    return { row, facts: factsOf(services, { organization, ...rest }, user ? [{ vote: actor, user }] : []) }
  }
  const row = await byFingerprint(db, activityFields.organizationId, activityFields.fingerprint)
  await addVote(db, row, actor, 'VOTE_SELECTION_APPROVED', now)
  return { row }
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
    .select(getTableColumns(activities))
    .from(fingerprints)
    .innerJoin(
      activities,
      and(eq(activities.id, fingerprints.activityId), eq(activities.createdAt, fingerprints.createdAt)),
    )
    .where(and(eq(fingerprints.organizationId, organizationId), eq(fingerprints.fingerprint, fingerprint)))
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
      await removeVoid(tx, row, now)
      await addVote(tx, row, actor, 'VOTE_SELECTION_APPROVED', now)
    })
    return answer(await advance(services, row))
  }
  await addVote(services.db, row, actor, 'VOTE_SELECTION_REJECTED', now)
  return settle(services.db, { ...row, userId: actor.userId }, 'ACTIVITY_STATUS_REJECTED', now)
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
