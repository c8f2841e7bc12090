/** Solana Mobile Wallet Adapter. Look first at `plugin.ts`, then at `client/engine.ts` and `client/session.ts`. */
export {
  mobileWalletAnswerInvalid,
  mobileWalletBlocked,
  mobileWalletLost,
  mobileWalletNotFound,
  mobileWalletNotSent,
  mobileWalletRequestInvalid,
  mobileWalletSessionEnded,
} from './errors.js'
export { type MobileWalletConnector, type MobileWalletOptions, mobileWallet } from './plugin.js'
export { VERSION } from './version.js'
