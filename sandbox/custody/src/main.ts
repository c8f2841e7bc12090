/** Runs custody, in production without `--sandbox`. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startCustody } from './index.js'
import { SETTINGS } from './settings.js'

await runService({ name: 'custody', settings: SETTINGS, read: optionsFromEnv, start: startCustody })
