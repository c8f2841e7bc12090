/** Runs the frame's host, in production without `--sandbox`. Contains no stand-ins; `npm start` runs `sandbox.ts`. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { type FrameOptions, readEnvironments, startFrame } from './index.js'
import { SETTINGS } from './settings.js'

await runService<FrameOptions>({
  name: 'frame',
  settings: SETTINGS,
  read: env => optionsFromEnv(env, readEnvironments),
  start: startFrame,
})
