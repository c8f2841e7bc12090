import type { Program } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { type ApiOptions, startApi } from './index.js'
import { SETTINGS } from './settings.js'
import { withOwnProviders } from './social/from-env.js'

export const PROGRAM: Program<ApiOptions> = {
  name: 'api',
  settings: SETTINGS,
  read: optionsFromEnv,
  start: async (options, env) => startApi(await withOwnProviders(env, options)),
}
