/** Runs one party, in production without `--sandbox`: R1, or R2 with RELAY_PARTY=2. */
import { runService } from '@keybay/sandbox-service'
import { getProgram } from './program.js'

await runService(getProgram(process.env.RELAY_PARTY === '2' ? 2 : 1))
