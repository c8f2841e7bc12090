/** Runs custody alone: `npm start -w sandbox/custody`. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startCustody } from './index.js'

await runService('custody', () => startCustody(optionsFromEnv(process.env)))
