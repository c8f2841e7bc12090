/** Runs the custody service alone: `npm start -w sandbox/custody`. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startCustody } from './index.js'

await runService('custody', () => startCustody(readAll(process.env, optionsFromEnv)))
