/**
 * `npm run rotate -w sandbox/relay`: wraps every secret under a new key-encryption key. With RELAY_KEK the new key
 * stands first in it, and the old keys can be removed when a run finds nothing under them; otherwise the file in
 * the data folder gets a new key. Only the data keys are wrapped again. On PostgreSQL, restart the instances
 * between two runs; with PGlite, stop the service first.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockFolder, runCommand } from '@keybay/sandbox-service'
import { createEnvelope, type Envelope } from '@keybay/sandbox-service/envelope'
import { lockKeys, rotationSteps } from '@keybay/sandbox-service/keys'
import { rotateKeks } from '@keybay/sandbox-service/secrets'
import { and, eq, isNotNull } from 'drizzle-orm'
import { readCommandOptions } from './config.js'
import { type Database, openDatabase } from './db/open.js'
import { ceremonies, shareSets } from './db/schema.js'
import { kekSource } from './party.js'

/** Wraps the secrets under the new key and returns their number. Concurrent changes already use the new key. */
export async function rotate(db: Database, envelope: Envelope): Promise<number> {
  let count = 0
  for (const { id, share } of await db.select().from(shareSets).where(isNotNull(shareSets.share))) {
    const again = share === null ? undefined : envelope.rewrap(share)
    if (again === undefined || share === null) continue
    const same = and(eq(shareSets.id, id), eq(shareSets.share, share))
    count += (await db.update(shareSets).set({ share: again }).where(same).returning({ id: shareSets.id })).length
  }
  for (const { id, state } of await db.select().from(ceremonies).where(isNotNull(ceremonies.state))) {
    const again = state === null ? undefined : envelope.rewrap(state)
    if (again === undefined || state === null) continue
    const same = and(eq(ceremonies.id, id), eq(ceremonies.state, state))
    count += (await db.update(ceremonies).set({ state: again }).where(same).returning({ id: ceremonies.id })).length
  }
  return count
}

async function main(): Promise<string> {
  const options = readCommandOptions()
  const { dataDir = '', databaseUrl, party } = options
  if (databaseUrl !== undefined && !options.kek)
    throw new Error(
      'Set RELAY_KEK to the new key and, behind it, the old one: other instances of this database may use the file’s key.',
    )
  const unlock = await lockFolder(dataDir)
  try {
    const { db, close } = await openDatabase({ url: databaseUrl, dataDir: join(dataDir, 'db') })
    const source = kekSource({ json: options.kek, file: join(dataDir, 'kek') }, party === 2 ? 'R2' : 'R1')
    const steps = rotationSteps(source.service, work => lockKeys(db, work))
    try {
      return await rotateKeks(source, keks => rotate(db, createEnvelope(keks)), steps)
    } finally {
      await close()
    }
  } finally {
    unlock()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCommand('relay', main)
