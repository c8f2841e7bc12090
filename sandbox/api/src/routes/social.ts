/** Social sign-in: one flow for every provider. */
import type { Route } from '../http/route.js'
import { endRoutes } from './social/end.js'
import { flow } from './social/flow.js'

export const socialRoutes: readonly Route[] = [flow, ...endRoutes]
