/** Runs the API for people: `node dist/main.js`. It knows no stand-ins; `sandbox.ts` is what `npm start` runs. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'

await runService('api', async () => startApi(await withOwnProviders(process.env, readAll(process.env, optionsFromEnv))))
