/** Every route of the API. */
import { reauthenticationRequired } from '../http/errors.js'
import type { Route } from '../http/route.js'
import { STEP_UPS } from '../mfa/step-up.js'
import { backupRoutes } from '../routes/backups.js'
import { credentialRoutes } from '../routes/credentials.js'
import { custodyRoutes } from '../routes/custody.js'
import { embeddedWalletRoutes } from '../routes/embedded-wallets.js'
import { environmentRoutes } from '../routes/environment.js'
import { mfaRoutes } from '../routes/mfa.js'
import { operatorUserRoutes } from '../routes/operator-users.js'
import { securityLogRoutes } from '../routes/security-log.js'
import { sessionRoutes } from '../routes/session.js'
import { signInRoutes } from '../routes/sign-in.js'
import { socialRoutes } from '../routes/social.js'
import { solanaRoutes } from '../routes/solana.js'
import { userRoutes } from '../routes/user.js'

const allRoutes: readonly Route[] = [
  ...environmentRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...securityLogRoutes,
  ...operatorUserRoutes,
  ...credentialRoutes,
  ...mfaRoutes,
  ...backupRoutes,
  ...embeddedWalletRoutes,
  ...custodyRoutes,
  ...socialRoutes,
  ...solanaRoutes,
]

export const routes: readonly Route[] = allRoutes.map(route =>
  `${route.method} ${route.path}` in STEP_UPS
    ? { ...route, errors: [...route.errors, reauthenticationRequired] }
    : route,
)
