'use client'

/** React hooks for `keybay.account`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `account()`. */
export { type UseCredentials, useCredentials } from './credentials.js'
export { type UseMfa, useMfa } from './mfa.js'
export {
  createOwnWallets,
  NO_WALLETS,
  type OwnWalletsOptions,
  type OwnWalletsState,
  type OwnWalletsStore,
} from './own-wallets.js'
export { type UseSecurityLog, useSecurityLog } from './security-log.js'
export { type UseSessions, useSessions } from './session.js'
export { useSignIn } from './sign-in.js'
export { type UseUser, useUser } from './user.js'
