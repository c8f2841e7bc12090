/** Removes what has run out. Any instance may, at any time: nothing that still counts is touched. */
import { lt } from 'drizzle-orm'
import { ceremonies, joins, nonces, rateLimits } from './db/schema.js'
import type { Services } from './services.js'

export const sweep = async ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now()
  await db.delete(nonces).where(lt(nonces.expiresAt, now))
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now))
  await db.delete(ceremonies).where(lt(ceremonies.expiresAt, now))
  await db.delete(joins).where(lt(joins.expiresAt, now))
}
