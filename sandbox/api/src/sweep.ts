/** Removes expired rows. Any instance may run this at any time, because valid rows are never touched. */
import { deleteExpired } from '@keybay/sandbox-service/database'
import { and, isNotNull, lt, or } from 'drizzle-orm'
import { purgeUsers } from './accounts/deletion.js'
import { KEPT_MS } from './backups/erasure.js'
import {
  apiTokens,
  backups,
  ceremonies,
  clientLogs,
  mfaTokens,
  proofs,
  rateLimits,
  sessions,
  sponsoredTransactions,
  sponsorSpending,
} from './db/schema.js'
import type { Services } from './services.js'

const DAY = 86_400_000

export async function sweep(services: Pick<Services, 'db' | 'clock' | 'relays'>): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await deleteExpired(db, ceremonies, lt(ceremonies.expiresAt, now))
  await deleteExpired(db, proofs, lt(proofs.expiresAt, now))
  await deleteExpired(db, mfaTokens, lt(mfaTokens.expiresAt, now))
  await deleteExpired(db, rateLimits, lt(rateLimits.resetsAt, now))
  await deleteExpired(db, backups, lt(backups.erasedAt, now - KEPT_MS))
  // The operator still sees for a month which tokens have ended.
  await deleteExpired(db, apiTokens, lt(apiTokens.expiresAt, now - 30 * DAY))
  await deleteExpired(db, clientLogs, lt(clientLogs.receivedAt, now - 7 * DAY))
  // A blockhash expires within minutes, so a transaction this old cannot be submitted again.
  await deleteExpired(db, sponsoredTransactions, lt(sponsoredTransactions.createdAt, now - DAY))
  await deleteExpired(db, sponsorSpending, lt(sponsorSpending.day, Math.floor(now / DAY)))
  const revoked = and(isNotNull(sessions.revokedAt), lt(sessions.revokedAt, now - DAY))
  await deleteExpired(db, sessions, or(lt(sessions.expiresAt, now - DAY), revoked))
  await purgeUsers(services)
}
