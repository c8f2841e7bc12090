'use client'

/** Views of a Solana wallet; they need `@keybay/react/ui.css`. Start with `WalletPanel`. */
export type { TransactionHistoryProps } from './activity/history.js'
export { getNetworkName } from './network-name.js'
export type { NetworkViewProps } from './network-view.js'
export type { ReceiveViewProps } from './receive-view.js'
export type { SendViewProps } from './send/send-view.js'
export {
  type AmountProblem,
  type DestinationProblem,
  getAmountProblem,
  getDestinationProblem,
  readAmount,
} from './send/validate.js'
export type { PanelSlots, TokenName } from './slots.js'
export type { TokensViewProps } from './tokens-view.js'
export {
  ActivityView,
  NetworkView,
  ReceiveView,
  SendView,
  TokensView,
  TransactionHistory,
  type WithSlots,
} from './views.js'
export { type PanelTab, WalletPanel, type WalletPanelProps } from './wallet-panel.js'
