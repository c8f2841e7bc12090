/** How many wallets a person may have: looked at before a ceremony begins, and once more where the wallet is made. */
import { sql } from 'drizzle-orm'
import type { Call } from '../http/call.js'
import { RelayError, tooManyEmbeddedWalletsForUser } from '../http/errors.js'
import type { Transaction } from '../store/sets.js'

/** Asks the API: not to be called in a transaction. @throws RelayError `api_unavailable` */
export const mostWallets = async ({ services, environment }: Call): Promise<number> =>
  (await services.api.settings(environment)).embeddedWallets.mostPerUser

/** @throws RelayError `too_many_embedded_wallets_for_user` */
export const assertRoom = async (
  { services, environment }: Call,
  userId: string,
  most: number,
  within?: Transaction,
): Promise<void> => {
  // One at a time for this person, on every instance: many ceremonies may have begun while there was room for one.
  await within?.execute(sql`select pg_advisory_xact_lock(hashtext(${`wallets ${environment.id} ${userId}`}))`)
  if ((await services.wallets.count(environment.id, userId, within)) >= most)
    throw new RelayError(tooManyEmbeddedWalletsForUser)
}
