/**
 * Tracks which sub-organization belongs to which user. Custody knows it by name; this service stores it, and claims it
 * before creation, so that concurrent requests or a crash leave a user with one sub-organization and not two.
 */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import { and, eq } from 'drizzle-orm'
import { facts, users } from '../db/schema.js'
import { ApiError, accountDeletionPending, custodyWalletExists, sessionExpired } from '../http/errors.js'
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

/** Returns what is stored of the owner's organization: `since <ms>` for a claim, or `is <ID> <owner's ID>`. */
async function readValue(db: Pick<Services['db'], 'select'>, owner: Owner): Promise<string | undefined> {
  const [row] = await db
    .select()
    .from(facts)
    .where(eq(facts.name, organizationFact(owner)))
  return row?.value
}

export async function readOrganization(services: Known, owner: Owner): Promise<Organization | undefined> {
  const value = await readValue(services.db, owner)
  if (value === undefined) return undefined
  const [state, storedId, ownerId] = value.split(' ')
  if (state === 'is' && storedId && ownerId) return { organizationId: storedId, ownerId }
  return services.custody(async call => {
    // After a claim, the process may have died although custody did its part.
    const organizationId = state === 'is' && storedId ? storedId : await findByName(call, owner)
    if (organizationId === undefined) return undefined
    const organization = { organizationId, ownerId: await getRootUser(call, organizationId) }
    const isKept = await keep(services, owner, organization, value)
    return isKept ? organization : readOrganization(services, owner)
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

/** Returns the age of a claim in ms; undefined for other values. */
function getClaimAge(value: string | undefined, now: number): number | undefined {
  const since = /^since (\d+)$/.exec(value ?? '')?.[1]
  return since === undefined ? undefined : now - Number(since)
}

/** Returns whether a creation may be under way, so that custody may soon have an organization that it has not now. */
export async function mayBeCreated({ db, clock }: Pick<Services, 'db' | 'clock'>, owner: Owner): Promise<boolean> {
  const age = getClaimAge(await readValue(db, owner), clock.now())
  return age !== undefined && age <= CLAIM_LIFETIME
}

/** Finds the row only while it has this value: another request may have changed it since it was read. */
function hasValue(owner: Owner, value: string) {
  return and(eq(facts.name, organizationFact(owner)), eq(facts.value, value))
}

/** Stores the organization in place of the value that was read, and returns false if that has changed. */
async function keep(
  { db }: Pick<Services, 'db'>,
  owner: Owner,
  { organizationId, ownerId }: Organization,
  before: string,
): Promise<boolean> {
  const value = ownerId === undefined ? `is ${organizationId}` : `is ${organizationId} ${ownerId}`
  return (await db.update(facts).set({ value }).where(hasValue(owner, before)).returning()).length > 0
}

/**
 * Returns a claim to one concurrent caller, until it gives the claim back or the claim expires. Locks the user's row, so
 * that merging and deleting see it.
 * @throws ApiError `session_expired`, `account_deletion_pending`
 */
export function claim({ db, clock }: Known, owner: Owner): Promise<string | undefined> {
  return db.transaction(async tx => {
    const [user] = await tx.select().from(users).where(eq(users.id, owner.userId)).for('update')
    if (!user) throw new ApiError(sessionExpired)
    if (user.blockedAt !== null) throw new ApiError(blockedUserCannotTransferWallet)
    if (user.deletesAt !== null) throw new ApiError(accountDeletionPending, { deletesAt: user.deletesAt })
    const [name, value] = [organizationFact(owner), `since ${clock.now()}`]
    const fresh = await tx.insert(facts).values({ name, value }).onConflictDoNothing().returning()
    if (fresh.length > 0) return value
    const before = await readValue(tx, owner)
    if (before === undefined || (getClaimAge(before, clock.now()) ?? 0) <= CLAIM_LIFETIME) return undefined
    const taken = await tx.update(facts).set({ value }).where(hasValue(owner, before)).returning()
    return taken.length > 0 ? value : undefined
  })
}

/**
 * Stores the organization of a claim. If the claim has expired and another organization was stored, that one stays,
 * because the user may use it already.
 * @throws ApiError `custody_wallet_exists`
 */
export async function keepFirst(
  services: Known,
  owner: Owner,
  organization: Organization,
  claimed: string,
): Promise<void> {
  if (await keep(services, owner, organization, claimed)) return
  const kept = await readOrganization(services, owner)
  if (kept?.organizationId !== organization.organizationId) throw new ApiError(custodyWalletExists)
}

export async function giveBack({ db }: Pick<Services, 'db'>, owner: Owner, claimed: string): Promise<void> {
  await db.delete(facts).where(hasValue(owner, claimed))
}
