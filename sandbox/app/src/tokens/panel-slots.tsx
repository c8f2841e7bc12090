import type { PanelSlots } from '@keybay/solana/ui'
import { Link } from '../routing/link.js'
import { findDemoToken } from './holdings.js'

/** What this app adds to the kit's views of a wallet: names of its tokens, and links to its explorer. */
export const panelSlots: PanelSlots = {
  token: findDemoToken,
  transaction: ({ signature, text }) => <Link to={`/tx/${signature}`}>{text}</Link>,
}
