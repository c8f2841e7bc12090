import type { PanelSlots } from '@keybay/solana/ui'
import { KitFailure } from '../chain/load-failed.js'
import { Link, LinkButton } from '../routing/link.js'
import { findDemoToken } from './demo-tokens.js'

/** Adds to the kit's views of a wallet: names of its tokens, and links to its explorer and its send page. */
export const panelSlots: PanelSlots = {
  token: findDemoToken,
  transaction: ({ signature, text }) => <Link to={`/tx/${signature}`}>{text}</Link>,
  failure: props => <KitFailure {...props} />,
  sendToken: ({ mint, text, label }) => <LinkButton to={`/send?token=${mint}`} small text={text} aria-label={label} />,
}
