'use client'

/** React hooks for `keybay.turnkey`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `turnkey()`. */
export {
  type UseTurnkeyRecovery,
  type UseTurnkeySession,
  useTurnkeyRecovery,
  useTurnkeySession,
} from './states.js'
export { type UseTurnkeyUser, useTurnkeyActivities, useTurnkeyUser } from './user.js'
export {
  type TurnkeyWalletsState,
  type UseTurnkeyWallet,
  useTurnkeyExport,
  useTurnkeySignTypedData,
  useTurnkeyWallet,
} from './wallet.js'
