/** `@keybay/waas/relay-client`: signed requests to the relay, for frame and delegates. Read `client.ts` first. */
export * from './answers.js'
export type { RecordKey, RelayConfiguration } from './client.js'
export * from './client.js'
export { relayAnswerWrong, relayUnreachable } from './client.js'
export { withDeadline } from './deadline.js'
export {
  creationContext,
  epochContext,
  hashPolicy,
  openBox,
  openSubShares,
  planAdditionalSet,
  type TakenShare,
  takeDealt,
} from './dealing.js'
export {
  type DeviceKey,
  type DeviceKeyPair,
  type DevicePublicKey,
  newDeviceKey,
  publicJwk,
  signJws,
  thumbprint,
  verifyJws,
} from './device-key.js'
export { type ReadableMessage, readMessage } from './message.js'
export { inSol, inUnits, inWords, type PolicyReason, readReason } from './policy-reason.js'
export { isForOthers, isSignInElsewhere, type SignInHost, signInSites } from './sign-in.js'
export * from './transaction.js'
