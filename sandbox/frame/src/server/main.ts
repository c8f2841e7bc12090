/** Runs the frame's host for operators: `node dist/server/main.js`. `npm start` runs `sandbox.ts`, with stand-ins. */
import { readEnvironments } from './index.js'
import { runFrame } from './run-frame.js'

await runFrame(process.env, readEnvironments)
