/** Runs the sandbox's API with stand-in providers of invented users: `npm start`, and `npm start -w sandbox/api`. */
import { readAll, runStandIn } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'
import { standInsFromEnv } from './stand-ins.js'

const REASON =
  'This program has stand-ins for the social providers, with which anyone signs in as any user. Run dist/main.js, which has none.'

await runStandIn('api', REASON, async () => {
  const { env } = process
  const { options, problems } = readAll(env, all => standInsFromEnv(all, optionsFromEnv(all)))
  return startApi(await withOwnProviders(env, { ...options, mode: 'sandbox', invalid: problems }))
})
