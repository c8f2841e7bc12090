/**
 * `npm run keys -w sandbox/custody`: lists the keys that the database knows. `-- register` registers the keys of this
 * environment before an instance uses them, `-- retire` removes an enclave key that the environment no longer has.
 */
import { join } from 'node:path'
import { runCommand } from '@keybay/sandbox-service'
import { runKeyCommand } from '@keybay/sandbox-service/keys'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import { optionsFromEnv } from './config.js'
import { openDatabase } from './db/open.js'
import { findAllKeys } from './keys/find.js'
import { openCommand } from './keys/kek.js'
import { SETTINGS } from './settings.js'

await runCommand('custody', async () => {
  const options = optionsFromEnv(readCommandEnv('custody', SETTINGS))
  const find = findAllKeys(options, await openCommand(options, Date.now))
  const keys = [find.enclave(), find.kek()]
  const { db, close } = await openDatabase({ url: options.databaseUrl, dataDir: join(options.dataDir ?? '', 'db') })
  try {
    return await runKeyCommand(db, { action: process.argv[2], keys })
  } finally {
    await close()
  }
})
