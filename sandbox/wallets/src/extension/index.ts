/**
 * Parts of the extension for tests without a browser: the providers that it injects into pages, and the wallet behind
 * them.
 * `build.mjs` builds the extension itself into `dist/unpacked`. Look at `worker.ts` first.
 */
export { type Account, createStateStore, newAccount, type State, type StateStore } from './core/state.js'
export type { Step } from './core/step.js'
export { prepare, type Visible, visibleTo, type WalletCall } from './core/wallet.js'
export type { Channel } from './inpage/channel.js'
export { announceEvm, createEvmProvider, type EvmProvider } from './inpage/evm-provider.js'
export { createSolanaProvider, type SolanaProvider } from './inpage/solana-provider.js'
export { createStandardWallet } from './inpage/standard-wallet.js'
