/** Runs the API alone: `npm start -w sandbox/api`, or as a child of the sandbox's starter. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'

await runService('api', async () => startApi(await withOwnProviders(process.env, optionsFromEnv(process.env))))
