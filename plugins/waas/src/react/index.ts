/** React hooks over `keybay.waas`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `waas()`. */
export * from './actions.js'
export {
  type EmbeddedWalletsState,
  type UseEmbeddedWallets,
  useEmbeddedWallets,
  useWalletProgress,
  type WalletProgress,
} from './wallets.js'
