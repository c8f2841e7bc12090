import type { Program } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { type CustodyOptions, startCustody } from './index.js'
import { SETTINGS } from './settings.js'

export const PROGRAM: Program<CustodyOptions> = {
  name: 'custody',
  settings: SETTINGS,
  read: optionsFromEnv,
  start: startCustody,
}
