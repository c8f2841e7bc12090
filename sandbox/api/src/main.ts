/** Runs the API, in production without `--sandbox`. Contains no stand-ins; `npm start` runs `sandbox.ts`. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { SETTINGS } from './settings.js'
import { withOwnProviders } from './social/from-env.js'

await runService({
  name: 'api',
  settings: SETTINGS,
  read: optionsFromEnv,
  start: async (options, env) => startApi(await withOwnProviders(env, options)),
})
