/** All routes that frames call. */
import type { Route } from '../http/route.js'
import { backupRoute } from '../routes/backup.js'
import { createRoutes } from '../routes/create/index.js'
import { delegatesRoute } from '../routes/delegates.js'
import { exportRoutes } from '../routes/export.js'
import { importRoutes } from '../routes/import.js'
import { joinRoutes } from '../routes/joins.js'
import { reshareRoutes } from '../routes/reshare/index.js'
import { signRoutes } from '../routes/sign.js'
import { signEvmRoutes } from '../routes/sign-evm.js'
import { signTaprootRoutes } from '../routes/sign-taproot.js'
import { walletRoutes } from '../routes/wallets.js'

export const routes: readonly Route[] = [
  ...signRoutes,
  ...signEvmRoutes,
  ...signTaprootRoutes,
  ...walletRoutes,
  backupRoute,
  ...createRoutes,
  ...importRoutes,
  ...reshareRoutes,
  ...joinRoutes,
  delegatesRoute,
  ...exportRoutes,
]
