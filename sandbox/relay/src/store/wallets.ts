/** Wallets and their views. */
import { and, asc, eq, inArray, lte, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { shareSets, wallets } from '../db/schema.js'
import { scheme, time } from '../http/fields.js'
import { policySchema } from '../policy/policy.js'
import type { SetRow } from './sets.js'

export type WalletRow = typeof wallets.$inferSelect

export const walletSchema = v.object({
  walletId: v.string(),
  address: v.string(),
  chainName: v.string(),
  scheme,
  origin: v.picklist(['seed', 'dkg', 'imported']),
  exportable: v.boolean(),
  exported: v.boolean(),
  frozen: v.boolean(),
  createdAt: time,
  sets: v.array(
    v.object({
      setId: v.string(),
      kind: v.picklist(['primary', 'device', 'delegate']),
      name: v.string(),
      epoch: v.number(),
      status: v.picklist(['active', 'revoked']),
      locked: v.boolean(),
      deviceKey: v.string(),
      createdAt: time,
      policy: v.nullable(policySchema),
      record: v.string(),
    }),
  ),
})
export type WalletView = v.InferOutput<typeof walletSchema>

/** Maximum number of revoked sets in a view of a wallet: the newest. */
const MAX_REVOKED_SETS = 32

/** Returns the active sets of the wallets, and the newest revoked ones. */
async function listSets(db: Database, walletIds: readonly string[]): Promise<SetRow[]> {
  const { id, walletId, status, createdAt } = shareSets
  const newest = sql<number>`row_number() over (partition by ${walletId}, ${status} order by ${createdAt} desc, ${id})`
  const ranked = db
    .select({ id, rank: newest.as('rank') })
    .from(shareSets)
    .where(inArray(walletId, [...walletIds]))
    .as('ranked')
  const rows = await db
    .select({ set: shareSets })
    .from(shareSets)
    .innerJoin(ranked, eq(ranked.id, id))
    .where(or(eq(status, 'active'), lte(ranked.rank, MAX_REVOKED_SETS)))
    .orderBy(asc(createdAt), asc(id))
  return rows.map(({ set }) => set)
}

export function createWallets(db: Database) {
  const view = async (rows: readonly WalletRow[]): Promise<WalletView[]> => {
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const sets = await listSets(db, ids)
    return rows.map(row => {
      const walletSets = sets.filter(({ walletId }) => walletId === row.id)
      const { id, address, chain, scheme, origin, exportable, exported, createdAt } = row
      return {
        walletId: id,
        address,
        chainName: chain,
        scheme,
        origin,
        exportable,
        exported,
        frozen: walletSets.some(({ frozenAt }) => frozenAt !== null),
        createdAt,
        sets: walletSets.map(({ id, kind, name, epoch, status, lockedAt, thumbprint, createdAt, policy, record }) => ({
          setId: id,
          kind,
          name,
          epoch,
          status,
          locked: lockedAt !== null,
          deviceKey: thumbprint,
          createdAt,
          policy,
          record,
        })),
      }
    })
  }
  const ownedBy = (environmentId: string, userId: string) =>
    and(eq(wallets.environmentId, environmentId), eq(wallets.userId, userId))
  return {
    isOwn: async (environmentId: string, userId: string, walletId: string): Promise<boolean> =>
      (await db.$count(wallets, and(ownedBy(environmentId, userId), eq(wallets.id, walletId)))) === 1,
    exists: async (walletId: string): Promise<boolean> => (await db.$count(wallets, eq(wallets.id, walletId))) > 0,
    count: (environmentId: string, userId: string, within: Pick<Database, '$count'> = db): Promise<number> =>
      within.$count(wallets, ownedBy(environmentId, userId)),
    list: async (environmentId: string, userId: string): Promise<WalletView[]> =>
      view(await db.select().from(wallets).where(ownedBy(environmentId, userId)).orderBy(asc(wallets.createdAt))),
    async get(walletId: string): Promise<WalletRow | undefined> {
      const [row] = await db.select().from(wallets).where(eq(wallets.id, walletId))
      return row
    },
    async show(walletId: string): Promise<WalletView> {
      const [shown] = await view(await db.select().from(wallets).where(eq(wallets.id, walletId)))
      if (!shown) throw new Error('A wallet that was just made is gone')
      return shown
    },
    countActiveSets: (walletId: string, within: Pick<Database, '$count'> = db): Promise<number> =>
      within.$count(shareSets, and(eq(shareSets.walletId, walletId), eq(shareSets.status, 'active'))),
    /** Returns the sets of a wallet, primary first. */
    sets: (walletId: string) => db.select().from(shareSets).where(eq(shareSets.walletId, walletId)),
  }
}
export type Wallets = ReturnType<typeof createWallets>
