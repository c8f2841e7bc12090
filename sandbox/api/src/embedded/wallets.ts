/** Embedded wallets of users. R1 reports a wallet before its first use, so a merge or a deletion always sees it. */
import { randomUUID } from 'node:crypto'
import { blockedUserCannotTransferWallet, embeddedWalletAddressAlreadyLinked } from '@keybay/kernel/spec'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { embeddedWallets, users } from '../db/schema.js'
import { ApiError, accountDeletionPending } from '../http/errors.js'
import type { Services } from '../services.js'
import { refuseRecord, type WalletRecord } from './record.js'

export type EmbeddedWalletRow = typeof embeddedWallets.$inferSelect

function getActive(userId: string) {
  return and(eq(embeddedWallets.userId, userId), eq(embeddedWallets.status, 'active'))
}

export async function hasEmbeddedWallets(db: Pick<Database, '$count'>, userId: string): Promise<boolean> {
  return (await db.$count(embeddedWallets, getActive(userId))) > 0
}

/** @param id of the credential that the user sees */
export async function findEmbeddedWallet(db: Pick<Database, 'select'>, userId: string, id: string) {
  const [row] = await db
    .select()
    .from(embeddedWallets)
    .where(and(getActive(userId), eq(embeddedWallets.id, id)))
  return row
}

export async function renameEmbeddedWallet(db: Pick<Database, 'update'>, row: EmbeddedWalletRow, name: string) {
  await db.update(embeddedWallets).set({ name }).where(eq(embeddedWallets.id, row.id))
  return { ...row, name }
}

/**
 * Adds, updates or withdraws a wallet. Locks the user's row, as merging and deleting do.
 * @throws ApiError `invalid_wallet_record`, `embedded_wallet_address_already_linked`, `account_deletion_pending`
 */
export async function acceptWalletRecord({ db, clock }: Services, record: WalletRecord): Promise<void> {
  await db.transaction(async tx => {
    const owner = and(eq(users.id, record.sub), eq(users.environmentId, record.env))
    const [user] = await tx.select().from(users).where(owner).for('update')
    if (!user) throw refuseRecord('user')
    const byId = and(eq(embeddedWallets.environmentId, record.env), eq(embeddedWallets.walletId, record.wallet))
    const [known] = await tx.select().from(embeddedWallets).where(byId)
    if (known) {
      assertSuccessor(known, record)
      const { status, epoch, iat } = record
      await tx.update(embeddedWallets).set({ status, epoch, recordedAt: iat }).where(eq(embeddedWallets.id, known.id))
      return
    }
    if (record.status === 'active' && user.blockedAt !== null) throw new ApiError(blockedUserCannotTransferWallet)
    if (record.status === 'active' && user.deletesAt !== null)
      throw new ApiError(accountDeletionPending, { deletesAt: user.deletesAt })
    await insertWallet(tx, record, clock.now())
  })
}

/** @throws ApiError when the record is not a later record of the same wallet */
function assertSuccessor(known: EmbeddedWalletRow, record: WalletRecord): void {
  if (known.userId !== record.sub) throw new ApiError(embeddedWalletAddressAlreadyLinked)
  const isSame = known.address === record.address && known.chain === record.chain && known.setId === record.set
  if (!isSame) throw refuseRecord('wallet')
  // A withdrawn wallet is never restored: an old record of it may still arrive.
  if (known.status === 'withdrawn' && record.status === 'active') throw refuseRecord('withdrawn')
  const isOlder = record.epoch < known.epoch || (record.epoch === known.epoch && record.iat < known.recordedAt)
  if (isOlder) throw refuseRecord('replay')
}

/** Stores a withdrawal too, because it may arrive before the record that it withdraws. */
async function insertWallet(tx: Pick<Database, 'insert'>, record: WalletRecord, now: number): Promise<void> {
  const [row] = await tx
    .insert(embeddedWallets)
    .values({
      id: randomUUID(),
      environmentId: record.env,
      userId: record.sub,
      walletId: record.wallet,
      setId: record.set,
      chain: record.chain,
      address: record.address,
      name: null,
      status: record.status,
      epoch: record.epoch,
      recordedAt: record.iat,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: embeddedWallets.id })
  if (!row) throw new ApiError(embeddedWalletAddressAlreadyLinked)
}
