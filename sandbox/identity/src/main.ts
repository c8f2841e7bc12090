/** Runs identity alone: `npm start -w sandbox/identity`, or as a child of the sandbox's starter. */
import { runStandIn } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startIdentity } from './index.js'

const REASON =
  'It stands in for the social providers, and anyone signs in as any of its users. Give the API the credentials of the real ones.'

await runStandIn('identity', REASON, () => startIdentity(optionsFromEnv(process.env)))
