/**
 * Checks that the environment creates wallets, and how many a user may have: before a ceremony begins, and again where
 * the wallet is created. Only creation and import check this, so existing wallets work where new wallets are disabled.
 */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { sql } from 'drizzle-orm'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import type { Transaction } from '../store/sets.js'

/**
 * Returns the API's limit; do not call this in a transaction.
 *
 * @throws RelayError `embedded_wallets_disabled`, `api_unavailable`
 */
export async function mostWallets({ services, environment }: Call): Promise<number> {
  const { enabled, mostPerUser } = (await services.api.settings(environment)).embeddedWallets
  if (!enabled) throw new RelayError('embedded_wallets_disabled')
  return mostPerUser
}

/** Limits on a user's wallets. */
export interface Room {
  readonly userId: string
  /** Maximum number of wallets for the user. */
  readonly most: number
  /** True if the wallet is only created for a user who has none. */
  readonly first?: boolean | undefined
}

/** @throws RelayError `too_many_embedded_wallets_for_user`; `wallet_exists` for a first wallet */
export async function assertRoom(
  { services, environment }: Call,
  { userId, most, first = false }: Room,
  within?: Transaction,
): Promise<void> {
  // Serialise creations of this user across instances: many ceremonies may have begun while there was room for one.
  await within?.execute(sql`select pg_advisory_xact_lock(hashtext(${`wallets ${environment.id} ${userId}`}))`)
  const count = await services.wallets.count(environment.id, userId, within)
  if (first && count > 0) throw new RelayError('wallet_exists', { reason: 'first' })
  if (count >= most) throw new RelayError('too_many_embedded_wallets_for_user')
}

/**
 * Refuses a new TWO_OF_TWO key while R1's database is on one machine: the scheme has no backup.
 *
 * @throws RelayError `replica_required`
 */
export async function assertReplica({ services }: Call, scheme: ThresholdSignatureScheme): Promise<void> {
  if (scheme === 'TWO_OF_TWO' && !(await services.hasReplica())) throw new RelayError('replica_required')
}
