import type { WalletSlots } from '@keybay/waas/ui'
import { Link, LinkButton } from '../routing/link.js'

/** Links from the kit's views of wallets to the pages of this app. */
export const walletSlots: WalletSlots = {
  link({ to, text, address }) {
    const page = `/wallets/${address}/${to === 'restore' ? 'restore' : 'backup'}`
    if (to !== 'backup') return <LinkButton to={page} small text={text} />
    return (
      <Link to={page} className="small">
        {text}
      </Link>
    )
  },
}
