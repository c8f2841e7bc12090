/** Runs the sandbox's API with stand-in providers of invented users: `npm start`, and `npm start -w sandbox/api`. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startApi } from './index.js'
import { withOwnProviders } from './social/from-env.js'
import { standInsFromEnv } from './stand-ins.js'

const { env } = process

function readOptions(all: NodeJS.ProcessEnv) {
  return standInsFromEnv(all, optionsFromEnv(all))
}

await runService('api', async () => startApi(await withOwnProviders(env, readAll(env, readOptions))))
