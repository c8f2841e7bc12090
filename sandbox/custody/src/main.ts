/** Runs custody, in production without `--sandbox`. */
import { runService } from '@keybay/sandbox-service'
import { PROGRAM } from './program.js'

await runService(PROGRAM)
