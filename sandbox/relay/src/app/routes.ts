/** All routes that frames call. */

import { type OpenApiDocument, openApi } from '@keybay/sandbox-service/openapi'
import { getStatus, type RelayErrorCode } from '../http/errors.js'
import type { Route } from '../http/route.js'
import { backupAccountRoute } from '../routes/backup-account.js'
import { begin } from '../routes/create/begin.js'
import { finish } from '../routes/create/finish.js'
import { open } from '../routes/create/open.js'
import { delegatesRoute } from '../routes/delegates.js'
import { backupRoute, exportRoutes } from '../routes/export.js'
import { importRoute } from '../routes/import.js'
import { joinRoutes } from '../routes/joins.js'
import { reshareBegin } from '../routes/reshare/begin.js'
import { reshareAbort, reshareCommit } from '../routes/reshare/commit.js'
import { setRoutes } from '../routes/sets.js'
import { signRoute } from '../routes/sign.js'
import { signEvmRoute } from '../routes/sign-evm.js'
import { signTaprootRoute } from '../routes/sign-taproot.js'
import { partyRoute, walletRoutes } from '../routes/wallets.js'

export const routes: readonly Route[] = [
  signRoute,
  signEvmRoute,
  signTaprootRoute,
  ...walletRoutes,
  ...setRoutes,
  backupRoute,
  backupAccountRoute,
  begin,
  open,
  finish,
  importRoute,
  reshareBegin,
  reshareCommit,
  reshareAbort,
  ...joinRoutes,
  delegatesRoute,
  ...exportRoutes,
]

/** Returns the errors of the handler, and those of every use of a share or a signature. */
function getErrors({ access, errors }: Route): readonly RelayErrorCode[] {
  return access === 'device' ? [...errors, 'not_compared'] : errors
}

export function openApiDocument(serverUrl: string): OpenApiDocument {
  return openApi({
    title: 'Keybay relay',
    serverUrl,
    routes: [partyRoute, ...routes].map(route => ({ ...route, errors: getErrors(route).map(code => ({ code })) })),
    getStatus,
    invalidRequest: 'invalid_request',
    security: { public: [], session: [{ bearer: [], session: [] }], device: [{ bearer: [], session: [], device: [] }] },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      session: { type: 'apiKey', in: 'header', name: 'x-keybay-session' },
      device: { type: 'apiKey', in: 'header', name: 'x-keybay-device' },
    },
  })
}
