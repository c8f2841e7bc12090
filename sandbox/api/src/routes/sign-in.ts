/**
 * Sign-in routes: a nonce and a wallet, a code by email or SMS, a passkey, the host's own token; and the second factor.
 */
import type { Route } from '../http/route.js'
import { codeRoutes } from './sign-in/code.js'
import { external } from './sign-in/external.js'
import { secondFactorRoutes } from './sign-in/mfa.js'
import { passkeyRoutes } from './sign-in/passkey.js'
import { walletRoutes } from './sign-in/wallet.js'

export const signInRoutes: readonly Route[] = [
  ...walletRoutes,
  ...codeRoutes,
  ...passkeyRoutes,
  external,
  ...secondFactorRoutes,
]
