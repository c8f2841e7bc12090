/** Runs one party: `npm start -w sandbox/relay` is R1, with RELAY_PARTY=2 it is R2. */
import { readAll, runService } from '@keybay/sandbox-service'
import { getParty, optionsFromEnv } from './config.js'
import { startRelay } from './index.js'

const { env } = process
await runService(env.RELAY_PARTY === '2' ? 'relay2' : 'relay', () =>
  startRelay(readAll(env, all => optionsFromEnv(all, getParty(all)))),
)
