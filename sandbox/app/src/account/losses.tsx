import type { User } from '@keybay/account'
import { embeddedWallets } from '@keybay/account/ui'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import { Failure, Item, Loading } from '../design/index.js'
import { LinkButton } from '../routing/link.js'

interface WalletRowsProps {
  readonly name: string
  readonly addresses: readonly string[]
  /** Section of the app that exports the key. */
  readonly section: 'wallets' | 'custody'
}
function WalletRows({ name, addresses, section }: WalletRowsProps) {
  const link = (address: string) => (
    <LinkButton to={`/${section}/${address}/export`} small text="Export" aria-label={`Export ${address}`} />
  )
  return (
    <ul className="keybay-items" aria-label={name}>
      {addresses.map(address => (
        <Item key={address} actions={link(address)}>
          <p className="mono break">{address}</p>
        </Item>
      ))}
    </ul>
  )
}

function EmbeddedLoss({ user }: { readonly user: User }) {
  const addresses = embeddedWallets(user).map(({ address = '' }) => address)
  if (addresses.length === 0) return null
  return (
    <>
      <h4>Wallets</h4>
      <WalletRows name="Wallets that you lose" addresses={addresses} section="wallets" />
      <p className="soft">
        You also lose the backups of these wallets that we keep for you. Only an exported key, or a backup that you keep
        yourself together with this browser’s part, still opens a wallet. You can use an exported key in other wallet
        apps, but you can’t import it here again.
      </p>
      <p className="soft">
        The wallet service erases its encrypted part of each wallet two weeks later, if the wallet isn’t used. A server
        that may sign for a wallet (a delegate) keeps its access until you revoke it, and what it signs keeps the
        wallet. Revoke it first, on the wallet’s security page: after the deletion you can’t.
      </p>
    </>
  )
}

function CustodyLoss() {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  if (status === 'error' && error && !wallets)
    return <Failure title="We could not check whether you have a custody wallet." error={error} retry={refresh.run} />
  if (!wallets) return status === 'none' ? null : <Loading what="your custody wallet" widths={[24]} />
  if (wallets.length === 0) return null
  const addresses = wallets.map(({ address }) => address)
  return (
    <>
      <h4>Custody wallet</h4>
      <WalletRows name="Custody accounts that you lose" addresses={addresses} section="custody" />
    </>
  )
}

/** Lists what the user loses with the account in this app, with a link to export each wallet's key. */
export function Losses({ user }: { readonly user: User }) {
  return (
    <>
      <EmbeddedLoss user={user} />
      <CustodyLoss />
    </>
  )
}
