/** `@keybay/waas/delegate`: a server that users let sign for them. Runs wherever WebCrypto exists. Look at `delegate.ts` first. */

export { bundleUnreadable } from './bundle.js'
export { createDelegate, type Delegate, type DelegatedWallet, type DelegateOptions } from './delegate.js'
export {
  createDelegateKeys,
  type DelegateKeys,
  type DelegateListing,
  type DevicePrivateKey,
  listingOf,
} from './keys.js'
