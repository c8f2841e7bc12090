/**
 * New wallets on their way to the product API. R1 stores the pending wallet, reports it, and creates it only after
 * the API's response, so the API knows every wallet that can be used. Abandoned wallets are withdrawn.
 */
import { and, eq, isNotNull, isNull, lt, ne } from 'drizzle-orm'
import { pendingWallets, shareSets, wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import type { Services } from '../services.js'
import type { Transaction } from '../store/sets.js'
import type { NewWallet } from './adopt.js'
import { signFirst } from './history.js'
import { readRecord, signRecord } from './record.js'
import { assertRoom, type Room } from './room.js'

type PendingWallet = typeof pendingWallets.$inferSelect

interface Claim {
  readonly made: NewWallet
  /** Time when the creation counts as abandoned, in ms since epoch. */
  readonly expiresAt: number
  readonly room: Room
}

/**
 * Reports the wallet of a ceremony. A repeat reports the same record.
 *
 * @returns the record that the wallet must get
 * @throws RelayError `wallet_exists`, `ceremony_state` for another wallet under this ID, `ceremony_not_found` when
 *   the wallet was withdrawn, `too_many_embedded_wallets_for_user`, and as `Api.report`
 */
export async function announceWallet(call: Call, claim: Claim): Promise<string> {
  const { services, environment } = call
  const { record, superseded } = await services.db.transaction(tx => writeClaim(call, tx, claim))
  // An address belongs to one wallet: first withdraw abandoned imports of the same key.
  for (const row of superseded) await withdraw(services, row)
  await services.api.report(environment, record)
  return record
}

async function writeClaim(call: Call, tx: Transaction, { made, expiresAt, room }: Claim) {
  const { environmentId, userId, address, set } = made
  await assertRoom(call, room, tx)
  await assertNew(tx, made)
  const [known] = await tx.select().from(pendingWallets).where(eq(pendingWallets.walletId, set.walletId)).for('update')
  const record = known ? nextRecord(call.services, known, made) : signFirst(call.services, made)
  const row = { walletId: set.walletId, environmentId, userId, address, setId: set.setId, record, expiresAt }
  await tx.insert(pendingWallets).values(row).onConflictDoUpdate({ target: pendingWallets.walletId, set: { record } })
  const sameAddress = and(ofUser(made), eq(pendingWallets.address, address), ne(pendingWallets.walletId, set.walletId))
  return { record, superseded: await tx.select().from(pendingWallets).where(sameAddress) }
}

function ofUser({ environmentId, userId }: Pick<NewWallet, 'environmentId' | 'userId'>) {
  return and(eq(pendingWallets.environmentId, environmentId), eq(pendingWallets.userId, userId))
}

async function assertNew(tx: Transaction, { environmentId, address, set }: NewWallet): Promise<void> {
  const sameAddress = and(eq(wallets.environmentId, environmentId), eq(wallets.address, address))
  const taken =
    (await tx.$count(wallets, eq(wallets.id, set.walletId))) +
    (await tx.$count(wallets, sameAddress)) +
    (await tx.$count(shareSets, eq(shareSets.id, set.setId)))
  if (taken > 0) throw new RelayError('wallet_exists')
}

/** Returns the record for a repeat: unchanged, unless the frame dealt other shares. */
function nextRecord(services: Services, known: PendingWallet, made: NewWallet): string {
  if (known.withdrawal !== null) throw new RelayError('ceremony_not_found')
  const isSame =
    known.environmentId === made.environmentId &&
    known.userId === made.userId &&
    known.address === made.address &&
    known.setId === made.set.setId
  if (!isSame) throw new RelayError('ceremony_state')
  const before = readRecord(services.keys.recordKeys, known.record)
  return before.transcript === made.transcript ? known.record : signFirst(services, made)
}

/**
 * Takes the pending wallet in the transaction that creates the wallet.
 *
 * @throws RelayError `ceremony_not_found` when the wallet was withdrawn
 */
export async function takeClaim(tx: Transaction, walletId: string, record: string): Promise<void> {
  const taken = await tx
    .delete(pendingWallets)
    .where(and(isPending(walletId), eq(pendingWallets.record, record)))
    .returning({ walletId: pendingWallets.walletId })
  if (taken.length === 0) throw new RelayError('ceremony_not_found')
}

function isPending(walletId: string) {
  return and(eq(pendingWallets.walletId, walletId), isNull(pendingWallets.withdrawal))
}

type Withdrawing = Pick<Services, 'db' | 'keys' | 'clock' | 'api' | 'environments'>

/**
 * Decides that the wallet is never created, and reports that to the API.
 *
 * @throws RelayError `api_unavailable`: the sweep retries
 */
async function withdraw(services: Withdrawing, row: PendingWallet): Promise<void> {
  const { db, keys, clock, api, environments } = services
  const facts = readRecord(keys.recordKeys, row.record)
  const signed = row.withdrawal ?? signRecord(keys, { ...facts, status: 'withdrawn' }, clock.now())
  if (row.withdrawal === null) {
    const decided = await db
      .update(pendingWallets)
      .set({ withdrawal: signed })
      .where(isPending(row.walletId))
      .returning({ walletId: pendingWallets.walletId })
    // The wallet was just created, or another instance withdraws it.
    if (decided.length === 0) return
  }
  const environment = environments.get(row.environmentId)
  if (!environment) throw new RelayError('api_unavailable')
  await api.report(environment, signed).catch((error: unknown) => {
    // A deleted user has no wallets.
    if (!(error instanceof RelayError && error.code === 'session_expired')) throw error
  })
  await db
    .delete(pendingWallets)
    .where(and(eq(pendingWallets.walletId, row.walletId), isNotNull(pendingWallets.withdrawal)))
}

/** Withdraws a wallet that can no longer be created. Never throws: the sweep does the rest. */
export async function giveUpWallet({ services }: Call, walletId: string): Promise<void> {
  const rows = await services.db.select().from(pendingWallets).where(eq(pendingWallets.walletId, walletId))
  await withdrawAll(services, rows)
}

/** Withdraws expired wallets, and reports withdrawals that the API does not know yet. */
export async function withdrawAbandoned(services: Withdrawing & Pick<Services, 'log'>): Promise<void> {
  const { db, clock } = services
  const expired = await db.select().from(pendingWallets).where(lt(pendingWallets.expiresAt, clock.now()))
  const decided = await db.select().from(pendingWallets).where(isNotNull(pendingWallets.withdrawal))
  const waiting = decided.filter(({ walletId }) => !expired.some(row => row.walletId === walletId))
  await withdrawAll(services, [...expired, ...waiting])
}

async function withdrawAll(
  services: Withdrawing & Pick<Services, 'log'>,
  rows: readonly PendingWallet[],
): Promise<void> {
  for (const row of rows)
    await withdraw(services, row).catch((error: unknown) =>
      services.log({
        level: 'warn',
        message: 'an abandoned wallet is not withdrawn yet',
        walletId: row.walletId,
        error: String(error),
      }),
    )
}
