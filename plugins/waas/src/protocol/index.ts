/**
 * `@keybay/waas/protocol`: the messages between page and wallet frame. Read `messages.ts` first, then `handshake.ts`
 * (the port) and `sender.ts` and `receiver.ts` (one message). Needs no kernel instance.
 */
export { assertBackupFits, hasBackupShare } from './backup-scheme.js'
export {
  backupUnsupported,
  consentRequired,
  embeddedWalletsDisabled,
  frameRefused,
  idempotencyKeyReused,
  type MfaDemand,
  messageMalformed,
  messengerClosed,
  mfaRequired,
  passkeyUnproved,
} from './errors.js'
export { FACTORS, requestHashOf } from './factor.js'
export * from './handshake.js'
export type * from './messages.js'
export { type Operation, operationOf, wirePolicy } from './operation.js'
export { openPlace, type Place } from './place.js'
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js'
export { waasProtocol } from './schemas.js'
export { createSender } from './sender.js'
export type * from './spec.js'
export type * from './wallet.js'
