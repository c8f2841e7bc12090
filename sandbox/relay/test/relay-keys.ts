/** Keys of a relay, for tests of other packages. */
export { newRelayKeys, type RelayKeys } from './world.js'
