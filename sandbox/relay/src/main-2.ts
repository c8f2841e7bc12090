/** Runs R2 as a child process of the sandbox's starter, which starts one program per service. */
import { readAll, runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startRelay } from './index.js'

await runService('relay2', () => startRelay(readAll(process.env, env => optionsFromEnv(env, 2))))
