/** React hooks over `keybay.waas`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `waas()`. */
export {
  useAddDevice,
  useCreateWallet,
  useImportPrivateKey,
  useRefreshShares,
  useReshare,
  useRevokeSet,
  useSetPolicy,
} from './actions.js'
export { type UseWalletBackup, useWalletBackup } from './backup.js'
export { type UseDelegates, useDelegates } from './delegates.js'
export { type UseWalletExport, useRestoreBackup, useWalletExport } from './export.js'
export { type UseWalletPassword, useWalletPassword } from './password.js'
export { useWalletProgress, type WalletProgress } from './progress.js'
export type { EmbeddedWalletsState } from './store.js'
export { type UseEmbeddedWallets, useEmbeddedWallets } from './wallets.js'
