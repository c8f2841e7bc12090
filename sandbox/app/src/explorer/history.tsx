import { TransactionHistory, type TransactionHistoryProps } from '@keybay/solana/ui'
import { panelSlots } from '../tokens/panel-slots.js'

/** The newest transactions of an address, with this app's names and links. */
export function History(props: TransactionHistoryProps) {
  return <TransactionHistory {...props} slots={panelSlots} />
}
