/**
 * Key custody: a user's sub-organization, guarded by a passkey; its recovery by email; actions that need this service's
 * consent.
 */
import type { Route } from '../http/route.js'
import { approve } from './custody/approvals.js'
import { create, read } from './custody/organization.js'
import { recover } from './custody/recovery.js'

export const custodyRoutes: readonly Route[] = [read, create, recover, approve]
