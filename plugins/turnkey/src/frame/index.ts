/**
 * `@keybay/turnkey/frame`: the window that opens an export and shows it, in a page of an origin of its own. Look at `start.ts`
 * first. The page that runs it is the frame host's; nothing here belongs into a host app.
 */
export { exportPath } from '../export/messages.js'
export { type ExportConfiguration, readExportConfiguration } from './configuration.js'
export { type ExportFrameOptions, startExportFrame } from './start.js'
