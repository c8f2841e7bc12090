/** Runs R2 as a child process of the sandbox's starter, which starts one program per service. */
import { readAll, runStandIn } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startRelay } from './index.js'

const REASON =
  'This program runs R2 with the variables of R1, so one operator would have both shares. Run dist/main.js with RELAY_PARTY=2 and variables of its own.'

await runStandIn('relay2', REASON, () => {
  const { options, problems } = readAll(process.env, env => optionsFromEnv(env, 2))
  return startRelay({ ...options, mode: 'sandbox', invalid: problems })
})
