/** Runs the frame's host, in production without `--sandbox`. Contains no stand-ins; `npm start` runs `sandbox.ts`. */
import { runService } from '@keybay/sandbox-service'
import { PROGRAM } from './program.js'

await runService(PROGRAM)
