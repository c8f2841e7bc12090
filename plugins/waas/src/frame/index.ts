/**
 * `@keybay/waas/frame`: the device's party, C, in a page of an origin of its own. Look at `start.ts` first, then at
 * `operations/`. The page that runs it is the frame host's; nothing here belongs into a host app.
 */
export { returnPath } from './backup/grants.js'
export {
  type BackupConfiguration,
  type FrameConfiguration,
  type RecordKey,
  type RelayConfiguration,
  readConfiguration,
} from './boot/configuration.js'
export { serveReturnPage } from './boot/return-page.js'
export { serveKdf } from './password/kdf-worker.js'
export { showRefusal } from './screen/refusal.js'
export { createScreen, type Screen, type ScreenOptions } from './screen/screen.js'
export { type ShownKey, showKey } from './screen/show-key.js'
export { type RunningFrame, type StartOptions, startWalletFrame } from './start.js'
