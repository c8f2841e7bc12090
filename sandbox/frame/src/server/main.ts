/** Runs the frame's host for people: `node dist/server/main.js`. It knows no stand-ins; `sandbox.ts` is what `npm start` runs. */
import { readEnvironments } from './index.js'
import { runFrame } from './run-frame.js'

await runFrame(process.env, readEnvironments)
