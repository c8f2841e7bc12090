/** Runs a party alone: `npm start -w sandbox/relay` is R1, with RELAY_PARTY=2 it is R2. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv, partyOf } from './config.js'
import { startRelay } from './index.js'

const party = partyOf(process.env)
await runService(party === 1 ? 'relay' : 'relay2', () => startRelay(optionsFromEnv(process.env, party)))
