/** Runs the sandbox's frame host, with its drives: `npm start`, and `npm start -w sandbox/frame`. */
import { runFrame } from './run-frame.js'
import { readSandboxEnvironments, TEST_CLIENT } from './stand-ins.js'

await runFrame(process.env, readSandboxEnvironments, process.env.FRAME_TEST_CLIENT ? TEST_CLIENT : undefined)
