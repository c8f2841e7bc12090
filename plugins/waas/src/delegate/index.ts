/** For a server that people let sign for them: its keys, taking a share, signing by it. Runs on Node and wherever WebCrypto is. */
export { createDelegate, type Delegate, type DelegatedWallet, type DelegateOptions } from './delegate.js'
export { bundleUnreadable } from './errors.js'
export {
  createDelegateKeys,
  type DelegateKeys,
  type DelegateListing,
  type DevicePrivateKey,
  listingOf,
} from './keys.js'
