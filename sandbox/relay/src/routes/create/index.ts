/** Wallet creation: by distributed key generation, or dealt by the frame from both sides' entropy. Three trips. */
import type { Route } from '../../http/route.js'
import { begin } from './begin.js'
import { finish } from './finish.js'
import { open } from './open.js'

export { checkRoom } from './creation.js'
export { acceptCreated } from './finish.js'
export const createRoutes: readonly Route[] = [begin, open, finish]
