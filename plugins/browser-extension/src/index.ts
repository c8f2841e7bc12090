/** Browser wallets that do not announce themselves, and EIP-6963. Read `plugin.ts` and `wallets.ts` first. */
export { evmChainUnknown, extensionAnswerInvalid, extensionBusy, extensionGone } from './errors.js'
export type * from './evm/features.js'
export { type BrowserExtensionConnector, type BrowserExtensionOptions, browserExtension } from './plugin.js'
export { VERSION } from './version.js'
export { type InjectedWallet, type InjectedWalletOptions, injected, injectedWallets } from './wallets.js'
