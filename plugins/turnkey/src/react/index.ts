/** React hooks for `keybay.turnkey`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `turnkey()`. */
export { useTurnkeyExport, useTurnkeySignTypedData } from './keys.js'
export {
  type UseTurnkeyRecovery,
  type UseTurnkeySession,
  useTurnkeyRecovery,
  useTurnkeySession,
} from './states.js'
export type { TurnkeyWalletsState } from './store.js'
export { type UseTurnkeyUser, useTurnkeyActivities, useTurnkeyUser } from './user.js'
export { type UseTurnkeyWallet, useTurnkeyWallet } from './wallet.js'
