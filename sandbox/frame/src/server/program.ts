import type { Program } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { readEnvironments } from './environments.js'
import { SETTINGS } from './settings.js'
import { type FrameOptions, startFrame } from './start-frame.js'

export const PROGRAM: Program<FrameOptions> = {
  name: 'frame',
  settings: SETTINGS,
  read: env => optionsFromEnv(env, readEnvironments),
  start: startFrame,
}
