/** React hooks over `keybay.account`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `account()`. */
export { type UseCredentials, useCredentials } from './credentials.js'
export { type UseMfa, useMfa } from './mfa.js'
export { type UseSession, useSession } from './session.js'
export { useSignIn } from './sign-in.js'
export { type UseUser, useUser } from './user.js'
