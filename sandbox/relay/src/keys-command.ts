/**
 * `npm run keys -w sandbox/relay`: lists the keys that the database knows.
 * `-- register` registers the keys of this environment before an instance uses them,
 * `-- retire` removes record and sealing keys that the environment no longer has.
 */
import { join } from 'node:path'
import { runCommand } from '@keybay/sandbox-service'
import { runKeyCommand } from '@keybay/sandbox-service/keys'
import { readCommandOptions } from './config.js'
import { openDatabase } from './db/open.js'
import { findAllKeys } from './party.js'

await runCommand('relay', async () => {
  const options = readCommandOptions()
  const find = findAllKeys(options, options.party === 2 ? 'R2' : 'R1')
  const keys = [find.keys(), find.kek()]
  const { db, close } = await openDatabase({ url: options.databaseUrl, dataDir: join(options.dataDir ?? '', 'db') })
  try {
    return await runKeyCommand(db, { action: process.argv[2], keys })
  } finally {
    await close()
  }
})
