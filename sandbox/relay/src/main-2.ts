/** R2 as a child of the sandbox's starter, which starts each service by its own program. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startRelay } from './index.js'

await runService('relay2', () => startRelay(readAll(process.env, env => optionsFromEnv(env, 2))))
