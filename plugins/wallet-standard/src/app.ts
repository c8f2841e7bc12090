/** @wallet-standard/app, in a module of its own because `bundle.mjs` builds it. */
export { getWallets } from '@wallet-standard/app'
