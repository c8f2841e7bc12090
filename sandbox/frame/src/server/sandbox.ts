/** Runs the sandbox's frame host, with its drives: `npm start`, and `npm start -w sandbox/frame`. */
import { readAll, runStandIn } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startFrame } from './index.js'
import { readSandboxEnvironments, TEST_CLIENT } from './stand-ins.js'

const REASON =
  'This program has stand-ins for drives, which everybody can read. Run dist/server/main.js, which has none.'

await runStandIn('frame', REASON, () => {
  const { options, problems } = readAll(process.env, env => optionsFromEnv(env, readSandboxEnvironments))
  const client = process.env.FRAME_TEST_CLIENT ? { clientFolder: TEST_CLIENT } : {}
  return startFrame({ ...options, ...client, mode: 'sandbox', invalid: problems })
})
