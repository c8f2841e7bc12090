'use client'

/** React hooks over `keybay.waas`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `waas()`. */
export {
  type UseDelegates,
  type UseWalletBackup,
  type UseWalletExport,
  type UseWalletPassword,
  useAddDevice,
  useCreateWallet,
  useDelegates,
  useImportPrivateKey,
  useRefreshShares,
  useReshare,
  useRestoreBackup,
  useRevokeSet,
  useSetPolicy,
  useWalletBackup,
  useWalletExport,
  useWalletPassword,
} from './actions.js'
export { type ReceiveAddressOptions, type ReceiveAddressStatus, useReceiveAddress } from './receive.js'
export {
  type EmbeddedWalletsState,
  type UseEmbeddedWallets,
  useEmbeddedWallets,
  useWalletProgress,
  type WalletProgress,
} from './wallets.js'
