/** Keys of a service: their sources, those that its database knows, and the commands for them. */
export { admitKeys, type Found, findKeyProblems } from './admit-keys.js'
export { type KeyCommand, runKeyCommand } from './key-command.js'
export {
  askForRestart,
  type FilePart,
  NOTHING_TO_CONFIRM,
  type RotatedFile,
  rotateKekFile,
  rotateKeyFile,
} from './key-file-rotation.js'
export { facts, type KeyRegistry, keepFact, lockKeys } from './key-registry.js'
export {
  type FoundKey,
  findKeyText,
  getFingerprint,
  type KeyIdentity,
  type KeySource,
  type KeyText,
} from './key-source.js'
export { fingerprintSteps, rotationSteps } from './rotation-steps.js'
