/** `@keybay/waas/relay-client`: signed requests to the relay, for frame and delegates. Read `client.ts` first. */
export * from './answers.js'
export type { RecordKey, RelayConfiguration } from './client.js'
export * from './client.js'
export { relayAnswerWrong, relayUnreachable } from './client.js'
export {
  epochContext,
  hashPolicy,
  openBox,
  openSubShares,
  planAdditionalSet,
  type TakenShare,
  takeDealt,
} from './dealing.js'
export { type DevicePublicKey, newDeviceKey, publicJwk, signJws, thumbprint, verifyJws } from './device-key.js'
export { inSol, inWords, type PolicyReason, readReason } from './policy-reason.js'
export * from './transaction.js'
