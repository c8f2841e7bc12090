/** React hooks over `keybay.solana`. They need `<KeybayProvider>` of `@keybay/react` and the plugin `solana()`. */
export { type UseBalance, useBalance } from './balance.js'
export { type UseNetwork, useNetwork } from './network.js'
export { type SendTransaction, useSendTransaction } from './send.js'
