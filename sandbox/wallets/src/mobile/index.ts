/** A phone with a wallet app that speaks Solana's Mobile Wallet Adapter, for tests. Look at `start-mobile.ts` first. */
export type { Person, Wallet } from './methods.js'
export { type MobilePhone, startMobilePhone } from './start-mobile.js'
