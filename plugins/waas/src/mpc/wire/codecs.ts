/** Every codec by its name: `encode(codecs.dkgOpening, opening)`. */
export { dkgCommitment, dkgDealt, dkgOpened, dkgOpening, dkgStarted } from './dkg-codecs.js'
export {
  dealPackage,
  entropyCommitment,
  entropyOpening,
  entropyState,
  reshareDealing,
  resharePlan,
  subShare,
  subShareSecp256k1,
} from './reshare-codecs.js'
export { keyShare, setPlan, shareSet } from './set-codecs.js'
export { signAnswer, signAnswers, signCommitment, signCommitments, taprootCommitment } from './sign-codecs.js'
