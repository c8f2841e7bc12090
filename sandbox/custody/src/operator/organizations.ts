/**
 * What the operator may do with one sub-organization, at `POST /operator/organizations`: outside of Turnkey's protocol,
 * stamped with the operator's key. No action reads or uses a key of the user.
 */
import { and, asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { parse } from '../activities/kind.js'
import {
  activities,
  apiKeys,
  audit,
  authenticators,
  organizations,
  privateKeys,
  users,
  walletAccounts,
  wallets,
} from '../db/schema.js'
import {
  CustodyError,
  failedPrecondition,
  permissionDenied,
  resourceNotFound,
  timestampOutside,
} from '../http/errors.js'
import type { Services } from '../services.js'
import { authenticate } from '../stamps/authenticate.js'
import { scheduleErasure } from './erasure.js'

/** Maximum difference between the clocks of the operator and this service, in ms. */
const TOLERANCE_MS = 60_000

const messageSchema = v.strictObject({
  organizationId: v.pipe(v.string(), v.maxLength(64)),
  subOrganizationId: v.pipe(v.string(), v.maxLength(64)),
  action: v.picklist(['block', 'unblock', 'erase', 'export']),
  timestampMs: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
})

interface OperatorRequest {
  readonly rawBody: string
  readonly body: unknown
  header(name: string): string | undefined
}

/** @throws CustodyError */
export async function runOperatorMessage(services: Services, request: OperatorRequest): Promise<object> {
  const { organizationId, subOrganizationId, action, timestampMs } = parse(messageSchema, request.body)
  const actor = await authenticate(services, { organizationId, body: request.rawBody, header: request.header })
  if (actor.organizationId !== services.operatorId) throw new CustodyError(permissionDenied)
  const now = services.clock.now()
  if (Math.abs(now - timestampMs) > TOLERANCE_MS) throw new CustodyError(timestampOutside, { now: String(now) })
  if (!(await services.limits.isFirst(request.rawBody, 2 * TOLERANCE_MS)))
    throw new CustodyError(failedPrecondition, { reason: 'This message was used before. Sign a new one.' })
  const isChild = and(eq(organizations.id, subOrganizationId), eq(organizations.parentId, services.operatorId))
  const [organization] = await services.db.select().from(organizations).where(isChild)
  if (!organization) throw new CustodyError(resourceNotFound, { resource: 'organization' })
  switch (action) {
    case 'block':
      return setBlocked(services, subOrganizationId, organization.blockedAt ?? now)
    case 'unblock':
      return setBlocked(services, subOrganizationId, null)
    case 'export':
      return exportData(services, organization)
    case 'erase':
      return scheduleErasure(services, organization)
  }
}

async function setBlocked({ db }: Services, id: string, blockedAt: number | null): Promise<object> {
  await db.update(organizations).set({ blockedAt }).where(eq(organizations.id, id))
  return { blockedAt }
}

/** Returns what this service knows about the user, without sealed keys. */
async function exportData({ db }: Services, organization: typeof organizations.$inferSelect): Promise<object> {
  const { id: organizationId } = organization
  const keys = await db.select().from(privateKeys).where(eq(privateKeys.organizationId, organizationId))
  const accounts = await db.select().from(walletAccounts).where(eq(walletAccounts.organizationId, organizationId))
  const ownWallets = await db.select().from(wallets).where(eq(wallets.organizationId, organizationId))
  const ownActivities = await db
    .select()
    .from(activities)
    .where(eq(activities.organizationId, organizationId))
    .orderBy(asc(activities.createdAt))
  return {
    organization,
    users: await db.select().from(users).where(eq(users.organizationId, organizationId)),
    apiKeys: await db.select().from(apiKeys).where(eq(apiKeys.organizationId, organizationId)),
    authenticators: await db.select().from(authenticators).where(eq(authenticators.organizationId, organizationId)),
    wallets: ownWallets.map(({ sealedMnemonic: _, ...wallet }) => wallet),
    accounts: accounts.map(({ sealedKey: _, ...account }) => account),
    privateKeys: keys.map(({ sealedKey: _, ...key }) => key),
    // Results may hold export bundles.
    activities: ownActivities.map(({ result: _, ...activity }) => activity),
    audit: await db
      .select({ entry: audit.entry })
      .from(audit)
      .where(eq(audit.organizationId, organizationId))
      .orderBy(asc(audit.sequence)),
  }
}
