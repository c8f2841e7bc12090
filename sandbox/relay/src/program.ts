import type { Program } from '@keybay/sandbox-service'
import { getParty, optionsFromEnv } from './config.js'
import { type RelayOptions, startRelay } from './index.js'
import { getSettings } from './settings.js'

export function getProgram(party: 1 | 2): Program<RelayOptions> {
  return {
    name: party === 2 ? 'relay2' : 'relay',
    settings: getSettings(party),
    read: env => optionsFromEnv(env, getParty(env)),
    start: startRelay,
  }
}
