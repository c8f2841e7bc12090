/** Runs identity alone: `npm start -w sandbox/identity`, or as a child of the sandbox's starter. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startIdentity } from './index.js'

await runService('identity', () => startIdentity(optionsFromEnv(process.env)))
