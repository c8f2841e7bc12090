/** Removes expired rows. Any instance may run this at any time, because valid rows are never touched. */
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
  await db.delete(ceremonies).where(lt(ceremonies.expiresAt, now))
  await db.delete(proofs).where(lt(proofs.expiresAt, now))
  await db.delete(mfaTokens).where(lt(mfaTokens.expiresAt, now))
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now))
  await db.delete(backups).where(lt(backups.erasedAt, now - KEPT_MS))
  // The operator still sees for a month which tokens have ended.
  await db.delete(apiTokens).where(lt(apiTokens.expiresAt, now - 30 * DAY))
  await db.delete(clientLogs).where(lt(clientLogs.receivedAt, now - 7 * DAY))
  // A blockhash expires within minutes, so a transaction this old cannot be submitted again.
  await db.delete(sponsoredTransactions).where(lt(sponsoredTransactions.createdAt, now - DAY))
  await db.delete(sponsorSpending).where(lt(sponsorSpending.day, Math.floor(now / DAY)))
  const revoked = and(isNotNull(sessions.revokedAt), lt(sessions.revokedAt, now - DAY))
  await db.delete(sessions).where(or(lt(sessions.expiresAt, now - DAY), revoked))
  await purgeUsers(services)
}
