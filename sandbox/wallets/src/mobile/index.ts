/** Phone with a wallet app that speaks Solana Mobile Wallet Adapter, for tests. Look at `start-mobile.ts` first. */
export type { User, Wallet } from './methods.js'
export { type MobilePhone, startMobilePhone } from './start-mobile.js'
