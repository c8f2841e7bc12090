/** Host of the wallet frame. `main.ts` runs it; tests start it in their own process with `startFrame`. */
export type { FrameConfiguration } from '../configuration/frame.js'
export { type Environments, fixed, readEnvironments } from './environments.js'
export { type Exports, readExports } from './exports.js'
export { createManifest, isManifestSigned, type Manifest, printManifest, readManifest } from './manifest.js'
export { type FrameHost, type FrameOptions, startFrame } from './start-frame.js'
export { type Finding, type Verification, verifyFrame } from './verify.js'
