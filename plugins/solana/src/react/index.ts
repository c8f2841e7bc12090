'use client'

/** React hooks for `keybay.solana`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `solana()`. */
export { type UseBalance, useBalance } from './balance.js'
export { type UseFee, type UseSimulation, useFee, useSimulation } from './draft.js'
export { type UseHistory, useHistory } from './history.js'
export type { Loaded } from './loaded.js'
export { type UseNetwork, useNetwork } from './network.js'
export { type SendTransaction, useSendTransaction } from './send.js'
export { type UseTokenAccounts, useTokenAccounts } from './tokens.js'
export { type UseTransactions, useTransactions } from './transactions.js'
