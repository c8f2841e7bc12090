/**
 * Removes expired data, and data that the other relay should no longer
 * have. Any instance may run it at any time: valid data is not touched.
 */
import { lt } from 'drizzle-orm'
import { withdrawAbandoned } from './ceremonies/pending.js'
import { showOwed } from './ceremonies/show.js'
import { ceremonies, joins, nonces, rateLimits } from './db/schema.js'
import type { Services } from './services.js'

export async function sweep(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await db.delete(nonces).where(lt(nonces.expiresAt, now))
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now))
  await db.delete(ceremonies).where(lt(ceremonies.expiresAt, now))
  await db.delete(joins).where(lt(joins.expiresAt, now))
  await withdrawAbandoned(services)
  await showOwed(services)
}
