/** The operator of a relay, who can write to its database what no user agreed to. */
import { eq, sql } from 'drizzle-orm'
import { type Database, openDatabase } from '../src/db/open.js'
import { shareSets } from '../src/db/schema.js'
import type { RelayOptions } from '../src/index.js'
import type { Policy } from '../src/policy/index.js'

/** Returns the option that opens the relay's database, and what its operator can do with it. */
export function createOperator() {
  let database: Database | undefined
  const open: NonNullable<RelayOptions['openDatabase']> = async options => {
    const opened = await openDatabase(options)
    database = opened.db
    return opened
  }
  return {
    openDatabase: open,
    /** Makes the relay enforce another policy than the user's. */
    async setPolicy(setId: string, policy: Policy | null): Promise<void> {
      const values = { policy, version: sql`${shareSets.version} + 1` }
      await database?.update(shareSets).set(values).where(eq(shareSets.id, setId))
    },
  }
}
