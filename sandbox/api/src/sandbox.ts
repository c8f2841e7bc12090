/** Runs the sandbox's API, with providers of made-up users: `npm start`, and `npm start -w sandbox/api`. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'
import { standInsFromEnv } from './stand-ins.js'

const { env } = process

await runService('api', async () => startApi(standInsFromEnv(env, await withOwnProviders(env, optionsFromEnv(env)))))
