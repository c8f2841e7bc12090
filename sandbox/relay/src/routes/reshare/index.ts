/** Verified resharing: refresh, another scheme, a lost device replaced, a device added. Two round trips. */
import type { Route } from '../../http/route.js'
import { reshareBegin } from './begin.js'
import { reshareAbort, reshareCommit } from './commit.js'

export const reshareRoutes: readonly Route[] = [reshareBegin, reshareCommit, reshareAbort]
