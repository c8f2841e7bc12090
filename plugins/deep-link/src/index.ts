/** Wallets on a phone, by deep link. Read `plugin.ts` and `wallets.ts` first, then `engine.ts`. */
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
