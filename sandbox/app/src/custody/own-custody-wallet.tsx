import type { WalletCredential } from '@keybay/kernel/spec'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import type { ReactElement, ReactNode } from 'react'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { explain } from '../wording.js'

/** Renders the user's account with that address, or any of their accounts; shows the load state until then. */
export function OwnCustodyWallet({
  address,
  children,
}: {
  readonly address?: string
  readonly children: (wallet: WalletCredential) => ReactNode
}): ReactElement {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  const wallet = wallets?.find(wallet => address === undefined || wallet.address === address)
  if (wallet) return <>{children(wallet)}</>
  if (status === 'error' && error)
    return (
      <Notice kind="bad" title="Your wallet could not be loaded.">
        <span>{explain(error)}</span>
        <button type="button" className="button button-small" onClick={() => refresh.run()}>
          Try again
        </button>
      </Notice>
    )
  if (!wallets)
    return (
      <section className="card" aria-label="Wallet">
        <Loading what="your wallet" />
        <p>
          <Skeleton width={26} />
        </p>
      </section>
    )
  return (
    <section className="card">
      <Empty
        icon="wallet"
        title={address === undefined ? 'You have no custody wallet' : 'This is not one of your accounts'}
        action={
          <Link to="/custody" className="button button-primary">
            To your custody wallet
          </Link>
        }
      >
        Check the address, or sign in as the user whose wallet it is.
      </Empty>
    </section>
  )
}
