/** `@keybay/waas/relay-client`: signed requests to the relay, for frame and delegates. Read `client.ts` first. */
export * from './answers.js'
export * from './client.js'
export type { RecordKey, RelayConfiguration } from './configuration.js'
export { epochContext, openBox, openSubShares, planAdditionalSet, type TakenShare, takeDealt } from './dealing.js'
export { type DevicePublicKey, newDeviceKey, publicJwk, signJws, thumbprint, verifyJws } from './device-key.js'
export { relayAnswerWrong, relayUnreachable } from './errors.js'
export { inSol, inWords, type PolicyReason, readReason } from './policy-reason.js'
export * from './transaction.js'
