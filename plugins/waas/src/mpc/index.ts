/** Threshold cryptography of embedded wallets: pure, no I/O. The README of this folder draws every ceremony. */
export {
  type BackupInput,
  type BackupSecret,
  type OpenedBackup,
  openBackup as openBackupWith,
  readBackupHeader,
  sealBackup as sealBackupWith,
} from './backup/backup.js'
export type { BackupHeader, PasskeyKdf, PasswordKdf } from './backup/header.js'
export { openBackupHere as openBackup, sealBackupHere as sealBackup } from './backup/here.js'
export { type Argon2id, checkKdf, KDF_CEILING, KDF_FLOOR, type KdfParameters, nobleArgon2id } from './backup/kdf.js'
export type { PasskeyName, PasskeySecret } from './backup/passkey.js'
export { erase } from './bytes.js'
export { combineShares, exportSolanaKey, signWithScalar } from './combine.js'
export { confirmTranscript, proveShare, verifyShareProof } from './confirm.js'
export * from './deal.js'
export {
  type DkgCommitment,
  type DkgDealt,
  type DkgOpened,
  type DkgOpening,
  type DkgStarted,
  dkgDeal,
  dkgFinish,
  dkgOpen,
  dkgStart,
  type Outcome,
} from './dkg.js'
export { type EcdsaBackend, reconstructedBackend } from './ecdsa.js'
export {
  type EntropyCommitment,
  type EntropyOpening,
  type EntropyState,
  entropyOpen,
  entropyParties,
  entropyStart,
} from './entropy.js'
export { abortEpoch, commitEpoch, type EpochChange, type Epochs, proposeEpoch } from './epochs.js'
export * from './errors.js'
export { addGroup, type Group, getGroup } from './group.js'
export {
  type KeyExchange,
  openPrivate,
  type ReleaseFacts,
  releaseContext,
  type SealingKeyPair,
  sealContext,
  sealingKeyPair,
  sealPrivate,
  setKeyExchange,
} from './hpke.js'
export * from './lifecycle/log.js'
export * from './lifecycle/relay.js'
export { additionalSharing, PARTIES, type Party, partyNumber, SCHEMES, type Sharing, sortParties } from './parties.js'
export * from './reshare.js'
export { enableSecp256k1 } from './secp256k1.js'
export { checkShare, eraseShare, groupKey, planHash, samePlan, setHash, verifyingShare } from './set.js'
export { type CoSigner, type CoSignInput, type CoSigning, nobleCoSigner, type SignAnswer } from './sign/co-signer.js'
export { createFrameSigner, type FrameAttempt, type FrameSigner, warmUpBase } from './sign/frame-signer.js'
export {
  bindingFactors,
  challenge,
  identifier,
  lagrangeCoefficient,
  type NoncePair,
  nonceRandomness,
  noncesFrom,
  type SignCommitment,
} from './sign/frost.js'
export { addressOfSeed, encodeSolanaKey, readSolanaKey, solanaAddress } from './solana-key.js'
export * from './taproot.js'
export type { Curve, KeyShare, RandomBytes, SetPlan, ShareSet, Step, SubShare } from './types.js'
export type { PointCheck } from './wire/buffers.js'
export { type Codec, decode, encode, strictPoints } from './wire/codec.js'
export * as codecs from './wire/codecs.js'
export { subShareCodec } from './wire/reshare-codecs.js'
export { anyPoint } from './wire/sign-codecs.js'
