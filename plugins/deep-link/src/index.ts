/** Wallets on a phone, by deep link. Look first at `plugin.ts` and `wallets.ts`, then at `engine.ts`. */
export {
  deepLinkAnswerInvalid,
  deepLinkRequestInvalid,
  deepLinkSessionEnded,
  deepLinkStorageBlocked,
  deepLinkWalletBusy,
  deepLinkWalletFailed,
  deepLinkWalletOffline,
  deepLinkWalletUnknown,
} from './errors.js'
export { type DeepLinkConnector, type DeepLinkOptions, deepLink } from './plugin.js'
export { type DeepLinkMethod, type DeepLinkOutput, type DeepLinkSigning, isDeepLinkResult } from './results.js'
export { VERSION } from './version.js'
export { type DeepLinkWallet, type DeepLinkWalletOptions, phantom, solflare } from './wallets.js'
