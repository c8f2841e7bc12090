/** Runs one party, in production without `--sandbox`: R1, or R2 with RELAY_PARTY=2. */
import { runService } from '@keybay/sandbox-service'
import { getParty, optionsFromEnv } from './config.js'
import { startRelay } from './index.js'
import { getSettings } from './settings.js'

const party = process.env.RELAY_PARTY === '2' ? 2 : 1

await runService({
  name: party === 2 ? 'relay2' : 'relay',
  settings: getSettings(party),
  read: env => optionsFromEnv(env, getParty(env)),
  start: startRelay,
})
