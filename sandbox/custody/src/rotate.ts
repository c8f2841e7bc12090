/**
 * `npm run rotate -w sandbox/custody`: wraps every mnemonic and key under a new key-encryption
 * key. With CUSTODY_KEK_COMMAND that is the command's first key. With CUSTODY_KEK the new key stands first in it, on every instance; otherwise the file
 * in the data folder gets a new key. Only the data keys are wrapped again, one at a time, so
 * that the next run continues an interrupted run; ciphertexts stay unchanged.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockFolder, runCommand } from '@keybay/sandbox-service'
import { createEnvelope, type SecretEnvelope } from '@keybay/sandbox-service/envelope'
import { fingerprintSteps, type KeyRegistry, lockKeys, rotationSteps } from '@keybay/sandbox-service/keys'
import { rotateKeks, rotateSetKeys } from '@keybay/sandbox-service/secrets'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import { asc, eq, gt } from 'drizzle-orm'
import { context } from './activities/wallets.js'
import { optionsFromEnv } from './config.js'
import { type Database, openDatabase } from './db/open.js'
import { importKeys, privateKeys, walletAccounts, wallets } from './db/schema.js'
import { createKekEnvelope, findKek, kekSource, openCommand } from './keys/kek.js'
import { SETTINGS } from './settings.js'

const AT_ONCE = 500

interface SecretRow {
  readonly id: string
  readonly sealed: string
}
interface Secrets {
  readonly what: Parameters<typeof context>[0]
  after(id: string): PromiseLike<readonly SecretRow[]>
  set(id: string, sealed: string): PromiseLike<unknown>
}

const OTHER_SECRETS = [
  { what: 'account', table: walletAccounts },
  { what: 'key', table: privateKeys },
  { what: 'import key', table: importKeys },
] as const

function getSecrets(db: Database): readonly Secrets[] {
  return [
    {
      what: 'mnemonic',
      after: id =>
        db
          .select({ id: wallets.id, sealed: wallets.sealedMnemonic })
          .from(wallets)
          .where(gt(wallets.id, id))
          .orderBy(asc(wallets.id))
          .limit(AT_ONCE),
      set: (id, sealedMnemonic) => db.update(wallets).set({ sealedMnemonic }).where(eq(wallets.id, id)),
    },
    ...OTHER_SECRETS.map(({ what, table }) => ({
      what,
      after: (id: string) =>
        db
          .select({ id: table.id, sealed: table.sealedKey })
          .from(table)
          .where(gt(table.id, id))
          .orderBy(asc(table.id))
          .limit(AT_ONCE),
      set: (id: string, sealedKey: string) => db.update(table).set({ sealedKey }).where(eq(table.id, id)),
    })),
  ]
}

/**
 * Wraps the secrets under the new key and returns their number.
 * Stored secrets never change otherwise; new secrets use the new key.
 */
export async function rewrap(db: Database, envelope: Pick<SecretEnvelope, 'rewrap'>): Promise<number> {
  let count = 0
  for (const { what, after, set } of getSecrets(db)) {
    let rows = await after('')
    while (rows.length > 0) {
      for (const { id, sealed } of rows) {
        const again = await envelope.rewrap(sealed, context(what, id))
        if (again === undefined) continue
        await set(id, again)
        count++
      }
      rows = await after(rows.at(-1)?.id ?? '')
    }
  }
  return count
}

async function main(): Promise<string> {
  const options = optionsFromEnv(readCommandEnv('custody', SETTINGS))
  const { dataDir = '', databaseUrl } = options
  if (databaseUrl !== undefined && !options.kek && options.kekCommand === undefined)
    throw new Error(
      'Set CUSTODY_KEK to the new key and, behind it, the old one: other instances of this database may use the file’s key.',
    )
  const unlock = await lockFolder(dataDir)
  try {
    const { db, close } = await openDatabase({ url: databaseUrl, dataDir: join(dataDir, 'db') })
    const source = kekSource(options)
    const locked = (work: (registry: KeyRegistry) => Promise<void>) => lockKeys(db, work)
    const steps = rotationSteps(source.service, locked)
    try {
      if (options.kekCommand !== undefined) {
        const { value, identities } = findKek(options, await openCommand(options, Date.now))
        const fingerprints = identities.flatMap(identity => identity.fingerprints)
        const envelope = createKekEnvelope(value)
        const where = 'CUSTODY_KEK_COMMAND and CUSTODY_KEK'
        return await rotateSetKeys(where, () => rewrap(db, envelope), fingerprintSteps(fingerprints, locked))
      }
      return await rotateKeks(source, keks => rewrap(db, createEnvelope(keks)), steps)
    } finally {
      await close()
    }
  } finally {
    unlock()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCommand('custody', main)
