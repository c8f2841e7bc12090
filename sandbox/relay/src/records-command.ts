/** `npm run records -w sandbox/relay`: prints the log of signed records, which `npx @keybay/waas audit` verifies. */
import { join } from 'node:path'
import { runCommand } from '@keybay/sandbox-service'
import { readCommandOptions } from './config.js'
import { openDatabase } from './db/open.js'
import { exportLog } from './export-log.js'
import { findAllKeys } from './party.js'

await runCommand('relay', async () => {
  const options = readCommandOptions()
  const party = options.party === 2 ? 'R2' : 'R1'
  const keys = findAllKeys(options, party).keys().value
  const { db, close } = await openDatabase({ url: options.databaseUrl, dataDir: join(options.dataDir ?? '', 'db') })
  try {
    return await exportLog({ db, keys, party, now: Date.now() })
  } finally {
    await close()
  }
})
