/** Runs the API in production: `node dist/main.js`. Contains no stand-ins; `npm start` runs `sandbox.ts`. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'

await runService('api', async () => startApi(await withOwnProviders(process.env, readAll(process.env, optionsFromEnv))))
