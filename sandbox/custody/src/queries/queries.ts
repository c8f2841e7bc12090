/** Queries by a user of the organization, or by its parent's key. */
import { and, asc, desc, eq, gt, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { isOpen } from '../activities/advance.js'
import { standing } from '../activities/approvals.js'
import { parse } from '../activities/kind.js'
import { getAudit } from '../audit.js'
import {
  activities,
  apiKeys,
  authenticators,
  organizations,
  policies,
  privateKeys,
  users,
  votes,
  walletAccounts,
  wallets,
} from '../db/schema.js'
import { CustodyError, permissionDenied, required } from '../http/errors.js'
import type { Admission } from '../limits.js'
import type { Services } from '../services.js'
import { type Actor, authenticate } from '../stamps/authenticate.js'
import { accountView, activityView, policyView, privateKeyView, userView, walletView } from './views.js'

const id = v.pipe(v.string(), v.maxLength(64))
const organization = { organizationId: id }
const MAX_ACTIVITIES = 100

export interface Query {
  /** Last part of `/public/v1/query/…`. */
  readonly path: string
  /** Allows recovery keys. */
  readonly whileRecovering?: true
  readonly orChild?: true
  readonly parameters: v.GenericSchema<unknown, { readonly organizationId: string }>
  run(services: Services, actor: Actor, parameters: unknown): Promise<object>
}

function query<S extends v.GenericSchema<unknown, { readonly organizationId: string }>>(
  definition: Pick<Query, 'path' | 'whileRecovering' | 'orChild'> & {
    readonly parameters: S
    readonly run: (services: Services, actor: Actor, parameters: v.InferOutput<S>) => Promise<object>
  },
): Query {
  const { parameters, run } = definition
  return { ...definition, run: (services, actor, raw) => run(services, actor, parse(parameters, raw)) }
}

async function getUsers({ db }: Services, organizationId: string) {
  const [rows, passkeys, keys] = await Promise.all([
    db.select().from(users).where(eq(users.organizationId, organizationId)),
    db.select().from(authenticators).where(eq(authenticators.organizationId, organizationId)),
    db.select().from(apiKeys).where(eq(apiKeys.organizationId, organizationId)),
  ])
  return rows.map(row => userView(row, passkeys, keys))
}

function voted(castVotes: readonly (typeof votes.$inferSelect)[], userId: string): boolean {
  return castVotes.some(vote => vote.userId === userId)
}

export const queries: readonly Query[] = [
  query({
    path: 'whoami',
    whileRecovering: true,
    orChild: true,
    parameters: v.strictObject(organization),
    run: async ({ db }, actor) => {
      const [ownOrganization] = await db.select().from(organizations).where(eq(organizations.id, actor.organizationId))
      const [user] = await db.select().from(users).where(eq(users.id, actor.userId))
      return {
        organizationId: actor.organizationId,
        organizationName: required(ownOrganization, 'organization').name,
        userId: actor.userId,
        username: required(user, 'user').name,
      }
    },
  }),
  query({
    path: 'get_user',
    whileRecovering: true,
    parameters: v.strictObject({ ...organization, userId: id }),
    run: async (services, actor, { organizationId, userId }) => {
      const isRecovering = actor.credential === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
      if (isRecovering && userId !== actor.userId) throw new CustodyError(permissionDenied)
      const all = await getUsers(services, organizationId)
      const user = all.find(candidate => candidate.userId === userId)
      return { user: required(user, 'user') }
    },
  }),
  query({
    path: 'list_users',
    parameters: v.strictObject(organization),
    run: async (services, _, { organizationId }) => ({ users: await getUsers(services, organizationId) }),
  }),
  query({
    path: 'get_activity',
    whileRecovering: true,
    parameters: v.strictObject({ ...organization, activityId: id }),
    run: async ({ db, clock }, actor, { organizationId, activityId }) => {
      const [row] = await db
        .select()
        .from(activities)
        .where(and(eq(activities.organizationId, organizationId), eq(activities.id, activityId)))
      const activity = required(row, 'activity')
      const all = await db.select().from(votes).where(eq(votes.activityId, activityId))
      const validVotes = standing(activity, all, clock.now())
      if (actor.credential === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256' && activity.userId !== actor.userId)
        throw new CustodyError(permissionDenied)
      return { activity: activityView(activity, validVotes, isOpen(activity) && !voted(validVotes, actor.userId)) }
    },
  }),
  query({
    path: 'list_activities',
    parameters: v.strictObject({
      ...organization,
      filterByStatus: v.optional(v.array(v.string())),
      filterByType: v.optional(v.array(v.string())),
    }),
    run: async ({ db, clock }, actor, { organizationId, filterByStatus, filterByType }) => {
      const rows = await db
        .select()
        .from(activities)
        .where(eq(activities.organizationId, organizationId))
        .orderBy(desc(activities.createdAt))
        .limit(MAX_ACTIVITIES)
      const matches = rows.filter(
        ({ status, type }) =>
          (!filterByStatus?.length || filterByStatus.includes(status)) &&
          (!filterByType?.length || filterByType.includes(type)),
      )
      const ids = matches.map(row => row.id)
      const castVotes = ids.length > 0 ? await db.select().from(votes).where(inArray(votes.activityId, ids)) : []
      return {
        activities: matches.map(row => {
          const cast = castVotes.filter(({ activityId }) => activityId === row.id)
          const validVotes = standing(row, cast, clock.now())
          return activityView(row, validVotes, isOpen(row) && !voted(validVotes, actor.userId))
        }),
      }
    },
  }),
  query({
    path: 'list_wallets',
    parameters: v.strictObject(organization),
    run: async ({ db }, _, { organizationId }) => {
      const rows = await db.select().from(wallets).where(eq(wallets.organizationId, organizationId))
      return { wallets: rows.map(walletView) }
    },
  }),
  query({
    path: 'list_wallet_accounts',
    parameters: v.strictObject({
      ...organization,
      walletId: v.optional(id),
      includeWalletDetails: v.optional(v.boolean()),
      paginationOptions: v.optional(v.unknown()),
    }),
    run: async ({ db }, _, { organizationId, walletId, includeWalletDetails }) => {
      const rows = await db
        .select({ account: walletAccounts, wallet: wallets })
        .from(walletAccounts)
        .innerJoin(wallets, eq(wallets.id, walletAccounts.walletId))
        .where(eq(walletAccounts.organizationId, organizationId))
        .orderBy(walletAccounts.createdAt, walletAccounts.path)
      return {
        accounts: rows
          .filter(({ wallet }) => walletId === undefined || wallet.id === walletId)
          .map(({ account, wallet }) => ({
            ...accountView(account),
            ...(includeWalletDetails && { walletDetails: walletView(wallet) }),
          })),
      }
    },
  }),
  query({
    path: 'list_private_keys',
    parameters: v.strictObject(organization),
    run: async ({ db }, _, { organizationId }) => {
      const rows = await db
        .select()
        .from(privateKeys)
        .where(eq(privateKeys.organizationId, organizationId))
        .orderBy(privateKeys.createdAt, privateKeys.name)
      return { privateKeys: rows.map(privateKeyView) }
    },
  }),
  query({
    path: 'get_organization',
    parameters: v.strictObject(organization),
    run: async (services, _, { organizationId }) => {
      const { db } = services
      const [organizationRow] = await db.select().from(organizations).where(eq(organizations.id, organizationId))
      const ownOrganization = required(organizationRow, 'organization')
      const [rules, keys, held] = await Promise.all([
        db.select().from(policies).where(eq(policies.organizationId, organizationId)),
        db.select().from(privateKeys).where(eq(privateKeys.organizationId, organizationId)),
        db.select().from(wallets).where(eq(wallets.organizationId, organizationId)),
      ])
      return {
        organizationData: {
          organizationId,
          name: ownOrganization.name,
          users: await getUsers(services, organizationId),
          policies: rules.map(policyView),
          privateKeys: keys.map(privateKeyView),
          wallets: held.map(walletView),
          rootQuorum: { threshold: ownOrganization.rootThreshold, userIds: ownOrganization.rootUserIds },
          invitations: [],
          tags: [],
          features: [],
        },
      }
    },
  }),
  query({
    path: 'list_suborgs',
    parameters: v.strictObject({
      ...organization,
      filterType: v.optional(v.literal('NAME')),
      filterValue: v.optional(v.pipe(v.string(), v.maxLength(256))),
      paginationOptions: v.optional(
        v.object({
          limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number))),
          after: v.optional(id),
        }),
      ),
    }),
    run: async ({ db }, _, { organizationId, filterType, filterValue, paginationOptions: { limit, after } = {} }) => {
      const named = db
        .select({ id: organizations.id })
        .from(organizations)
        .where(
          and(
            eq(organizations.parentId, organizationId),
            ...(filterType === undefined ? [] : [eq(organizations.name, filterValue ?? '')]),
            ...(after === undefined ? [] : [gt(organizations.id, after)]),
          ),
        )
        .orderBy(asc(organizations.id))
      const rows = await (limit ? named.limit(limit) : named)
      return { organizationIds: rows.map(row => row.id) }
    },
  }),
  // Extension to Turnkey's protocol: the audit chain, for comparison with an earlier head.
  query({
    path: 'list_audit_entries',
    parameters: v.strictObject(organization),
    run: ({ db }, _, { organizationId }) => getAudit(db, organizationId),
  }),
]

interface Asked {
  readonly rawBody: string
  readonly body: unknown
  readonly admission: Admission
  header(name: string): string | undefined
}

/** @throws CustodyError */
export async function ask(
  services: Services,
  { parameters, whileRecovering, orChild, run }: Query,
  { rawBody, body, header, admission }: Asked,
): Promise<object> {
  const { organizationId } = parse(parameters, body)
  const actor = await authenticate(services, { organizationId, body: rawBody, header, ...(orChild && { orChild }) })
  await services.limits.count(actor.organizationId, 'query', admission)
  if (actor.credential === 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256' && !whileRecovering)
    throw new CustodyError(permissionDenied)
  return run(services, actor, body)
}
