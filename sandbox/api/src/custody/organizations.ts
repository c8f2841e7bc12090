/**
 * Tracks which sub-organization belongs to which user. Custody knows it by name; this service stores it, and claims it
 * before creation, so that concurrent requests or a crash leave a user with one sub-organization and not two.
 */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import { eq } from 'drizzle-orm'
import { facts, users } from '../db/schema.js'
import { ApiError, accountDeletionPending, sessionExpired } from '../http/errors.js'
import type { Services } from '../services.js'
import type { CustodyCall } from './client.js'

const CLAIM_LIFETIME = 60_000

export interface Organization {
  readonly organizationId: string
  /** Owner's root user at custody, stored at creation. Undefined if it cannot be determined. */
  readonly ownerId: string | undefined
}
export interface Owner {
  readonly environmentId: string
  readonly userId: string
}
export function organizationFact({ environmentId, userId }: Owner): string {
  return `custody ${environmentId} ${userId}`
}
export function organizationName({ environmentId, userId }: Owner): string {
  return `keybay ${environmentId} ${userId}`
}

type Known = Pick<Services, 'db' | 'custody' | 'clock'>

/** Returns whether the owner has an organization or a claim to one. Does not call custody. */
export async function hasOrganization(db: Pick<Services['db'], '$count'>, owner: Owner): Promise<boolean> {
  return (await db.$count(facts, eq(facts.name, organizationFact(owner)))) > 0
}

export async function readOrganization({ db, custody }: Known, owner: Owner): Promise<Organization | undefined> {
  const [row] = await db
    .select()
    .from(facts)
    .where(eq(facts.name, organizationFact(owner)))
  if (!row) return undefined
  const [state, storedId, ownerId] = row.value.split(' ')
  if (state === 'is' && storedId && ownerId) return { organizationId: storedId, ownerId }
  return custody(async call => {
    // After a claim, the process may have died although custody did its part.
    const organizationId = state === 'is' && storedId ? storedId : await findByName(call, owner)
    if (organizationId === undefined) return undefined
    const organization = { organizationId, ownerId: await getRootUser(call, organizationId) }
    await keep({ db }, owner, organization)
    return organization
  })
}

/** Returns the ID of the owner's organization as custody knows it. */
export async function findByName({ client, organizationId }: CustodyCall, owner: Owner): Promise<string | undefined> {
  const filterValue = organizationName(owner)
  return (await client.getSubOrgIds({ organizationId, filterType: 'NAME', filterValue })).organizationIds[0]
}

/** Returns the one root user other than the approver, or undefined if there are several. */
async function getRootUser({ client, approver }: CustodyCall, organizationId: string): Promise<string | undefined> {
  const { organizationData } = await client.getOrganization({ organizationId })
  const guard = approver.getGuard(organizationData.users ?? [])
  const owners = organizationData.rootQuorum?.userIds.filter(userId => userId !== guard?.userId) ?? []
  return owners.length === 1 ? owners[0] : undefined
}

export async function keep(
  { db }: Pick<Services, 'db'>,
  owner: Owner,
  { organizationId, ownerId }: Organization,
): Promise<void> {
  await db
    .update(facts)
    .set({ value: ownerId === undefined ? `is ${organizationId}` : `is ${organizationId} ${ownerId}` })
    .where(eq(facts.name, organizationFact(owner)))
}

/**
 * Returns true to one concurrent caller, until it gives the claim back or the claim expires. Locks the user's row, so
 * that merging and deleting see it.
 * @throws ApiError `session_expired`, `account_deletion_pending`
 */
export function claim({ db, clock }: Known, owner: Owner): Promise<boolean> {
  return db.transaction(async tx => {
    const [user] = await tx.select().from(users).where(eq(users.id, owner.userId)).for('update')
    if (!user) throw new ApiError(sessionExpired)
    if (user.blockedAt !== null) throw new ApiError(blockedUserCannotTransferWallet)
    if (user.deletesAt !== null) throw new ApiError(accountDeletionPending, { deletesAt: user.deletesAt })
    const [name, value] = [organizationFact(owner), `since ${clock.now()}`]
    const fresh = await tx.insert(facts).values({ name, value }).onConflictDoNothing().returning()
    if (fresh.length > 0) return true
    const [row] = await tx.select().from(facts).where(eq(facts.name, name))
    const since = Number(/^since (\d+)$/.exec(row?.value ?? '')?.[1] ?? Number.NaN)
    if (!row || !(clock.now() - since > CLAIM_LIFETIME)) return false
    await tx.update(facts).set({ value }).where(eq(facts.name, name))
    return true
  })
}

export async function giveBack({ db }: Pick<Services, 'db'>, owner: Owner): Promise<void> {
  await db.delete(facts).where(eq(facts.name, organizationFact(owner)))
}
