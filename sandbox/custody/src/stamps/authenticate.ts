/** Authenticates a request: exactly one stamp, by a credential of the named organization or of its parent. */
import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { activities, apiKeys, authenticators, fingerprints, organizations } from '../db/schema.js'
import {
  CustodyError,
  counterRolledBack,
  keyExpired,
  keyNotFound,
  organizationBlocked,
  stampInvalid,
  stampMissing,
} from '../http/errors.js'
import type { Credential } from '../protocol.js'
import type { Services } from '../services.js'
import { checkApiKeyStamp, readApiKeyStamp } from './api-key.js'
import { checkWebauthnStamp, readWebauthnStamp } from './webauthn.js'

export interface Actor {
  /** Organization of the credential: the named organization, or its parent or child. */
  readonly organizationId: string
  readonly userId: string
  readonly credential: Credential
  readonly credentialId: string
  readonly publicKey: string
  readonly signature: string
  readonly scheme: string
  /** True for a passkey stamp with user verification. */
  readonly isVerified: boolean
  /** True for a recovery key that has been used: it may only query the result of the recovery. */
  readonly isSpent: boolean
  /** True when the operator blocks the named organization, which may be another than the credential's. */
  readonly isBlocked: boolean
}

export interface Stamped {
  readonly organizationId: string
  readonly body: string
  /** Fingerprint of an activity, whose request may be repeated. */
  readonly fingerprint?: string
  /** Also searches the children: who-am-I names the parent when the user's organization is not known yet. */
  readonly orChild?: boolean
  header(name: string): string | undefined
}

/** @throws CustodyError with gRPC code 16 */
export async function authenticate(services: Services, request: Stamped): Promise<Actor> {
  const { blockedAt, ...actor } = await readStamp(services, request)
  if (blockedAt !== null) throw new CustodyError(organizationBlocked)
  return actor
}

/** Actor, and since when the operator blocks its own organization. */
type StampedActor = Actor & Pick<typeof organizations.$inferSelect, 'blockedAt'>

async function readStamp(services: Services, request: Stamped): Promise<StampedActor> {
  const [byKey, byPasskey] = [request.header('x-stamp'), request.header('x-stamp-webauthn')]
  if (byKey !== undefined && byPasskey !== undefined) throw new CustodyError(stampInvalid, { reason: 'two stamps' })
  if (byKey !== undefined) return authenticateKey(services, request, byKey)
  if (byPasskey !== undefined) return authenticatePasskey(services, request, byPasskey)
  throw new CustodyError(stampMissing)
}

/**
 * Returns the condition on a credential's organization, and the order of preference: the named organization, its parent,
 * and for who-am-I its children, the oldest credential first. Also returns what the operator blocks, so that
 * one statement authenticates a request.
 */
function nearby(orChild: boolean) {
  const { id, parentId, blockedAt } = organizations
  const organizationId = sql.placeholder('organizationId')
  const named = (what: SQL) => sql`(select ${what} from ${organizations} as named where named.id = ${organizationId})`
  const isChild = eq(parentId, organizationId)
  return {
    blocks: { blockedAt, isBlocked: sql`${named(sql`named.blocked_at is not null`)} is true`.mapWith(Boolean) },
    where: or(eq(id, organizationId), eq(id, named(sql`named.parent_id`)), ...(orChild ? [isChild] : [])),
    order: sql`case when ${eq(id, organizationId)} then 0 when ${isChild} then 2 else 1 end`,
  }
}

function keyStatement(orChild: boolean) {
  const { blocks, where, order } = nearby(orChild)
  return buildOnce((db: Database) =>
    db
      .select({ known: apiKeys, ...blocks })
      .from(apiKeys)
      .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
      .where(and(eq(apiKeys.publicKey, sql.placeholder('publicKey')), where))
      .orderBy(order, apiKeys.createdAt, apiKeys.id)
      .limit(1)
      .prepare('key'),
  )
}
const [getKey, getKeyOrChild] = [keyStatement(false), keyStatement(true)]

function passkeyStatement(orChild: boolean) {
  const { blocks, where, order } = nearby(orChild)
  return buildOnce((db: Database) =>
    db
      .select({ known: authenticators, ...blocks })
      .from(authenticators)
      .innerJoin(organizations, eq(organizations.id, authenticators.organizationId))
      .where(and(eq(authenticators.credentialId, sql.placeholder('credentialId')), where))
      .orderBy(order, authenticators.createdAt, authenticators.id)
      .limit(1)
      .prepare('passkey'),
  )
}
const [getPasskey, getPasskeyOrChild] = [passkeyStatement(false), passkeyStatement(true)]

async function authenticateKey(services: Services, request: Stamped, header: string): Promise<StampedActor> {
  const stamp = readApiKeyStamp(header)
  checkApiKeyStamp(stamp, request.body)
  const { organizationId, orChild } = request
  const { publicKey } = stamp
  const [row] = await (orChild ? getKeyOrChild : getKey)(services.db).execute({ organizationId, publicKey })
  if (!row) throw new CustodyError(keyNotFound)
  const { known, ...blocks } = row
  if (known.expiresAt !== null && known.expiresAt <= services.clock.now()) throw new CustodyError(keyExpired)
  return {
    organizationId: known.organizationId,
    userId: known.userId,
    credential: known.type,
    credentialId: known.id,
    publicKey: known.publicKey,
    signature: stamp.signature,
    scheme: stamp.scheme,
    isVerified: false,
    isSpent: known.usedAt !== null,
    ...blocks,
  }
}

async function authenticatePasskey(services: Services, request: Stamped, header: string): Promise<StampedActor> {
  const stamp = readWebauthnStamp(header)
  const { organizationId, orChild } = request
  const { credentialId } = stamp
  const [row] = await (orChild ? getPasskeyOrChild : getPasskey)(services.db).execute({ organizationId, credentialId })
  if (!row) throw new CustodyError(keyNotFound)
  const { known, ...blocks } = row
  const { counter, isVerified } = await checkWebauthnStamp(services, stamp, known, request.body)
  await count(services, request, known, counter)
  return {
    organizationId: known.organizationId,
    userId: known.userId,
    credential: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
    credentialId: known.id,
    publicKey: known.publicKey,
    signature: stamp.signature,
    scheme: 'SIGNATURE_SCHEME_TK_WEB_AUTHN',
    isVerified,
    isSpent: false,
    ...blocks,
  }
}

/** Requires a growing signature counter. Only the latest counted request may be repeated, to find its activity. */
async function count(
  { db }: Services,
  { organizationId, fingerprint }: Stamped,
  known: typeof authenticators.$inferSelect,
  counter: number,
): Promise<void> {
  if (counter === 0 && known.counter === 0) return
  const moved = await db
    .update(authenticators)
    .set({ counter })
    .where(and(eq(authenticators.id, known.id), lt(authenticators.counter, counter)))
    .returning({ id: authenticators.id })
  if (moved.length > 0) return
  // Another request may have deleted the passkey since this one read it.
  if ((await db.$count(authenticators, eq(authenticators.id, known.id))) === 0) throw new CustodyError(keyNotFound)
  const repeated =
    fingerprint !== undefined && counter === known.counter
      ? await db
          .select({ id: activities.id })
          .from(fingerprints)
          .innerJoin(
            activities,
            and(eq(activities.id, fingerprints.activityId), eq(activities.createdAt, fingerprints.createdAt)),
          )
          .where(
            and(
              eq(fingerprints.organizationId, organizationId),
              eq(fingerprints.fingerprint, fingerprint),
              eq(activities.userId, known.userId),
            ),
          )
      : []
  if (repeated.length === 0) throw new CustodyError(counterRolledBack)
}
