import type { User } from '@keybay/account'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import { type ReactElement, useEffect, useRef } from 'react'
import { Loading, Notice, Skeleton } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { explain } from '../wording.js'
import { credentialName, embeddedWallets, methods, signInMethods } from './names.js'

interface LostWallet {
  readonly address: string
  readonly exportPath: string
}

function WalletRows({
  name,
  wallets,
}: {
  readonly name: string
  readonly wallets: readonly LostWallet[]
}): ReactElement {
  return (
    <ul className="items" aria-label={name}>
      {wallets.map(({ address, exportPath }) => (
        <li key={address} className="item">
          <div className="item-text">
            <p className="mono break">{address}</p>
          </div>
          <div className="item-actions">
            <Link to={exportPath} className="button button-small">
              Export<span className="visually-hidden"> {address}</span>
            </Link>
          </div>
        </li>
      ))}
    </ul>
  )
}

function EmbeddedLoss({ user }: { readonly user: User }): ReactElement | null {
  const wallets = embeddedWallets(user).map(({ address = '' }) => ({
    address,
    exportPath: `/wallets/${address}/export`,
  }))
  if (wallets.length === 0) return null
  return (
    <>
      <h4>Wallets</h4>
      <WalletRows name="Wallets that you lose" wallets={wallets} />
      <p className="soft">
        You also lose the backups of these wallets that we keep for you. Only an exported key, or a backup that you keep
        yourself together with this browser’s part, still opens a wallet. You can use an exported key in other wallet
        apps, but you can’t import it here again.
      </p>
      <p className="soft">
        The wallet service keeps its encrypted part of each wallet, and you can’t sign in to it any more. A server that
        may sign for a wallet (a delegate) keeps its access until you revoke it. Revoke it first, on the wallet’s
        security page: after the deletion you can’t.
      </p>
    </>
  )
}

function CustodyLoss(): ReactElement | null {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  if (status === 'error' && error && !wallets)
    return (
      <Notice kind="bad" title="We could not check whether you have a custody wallet.">
        <span>{explain(error)}</span>
        <button type="button" className="button button-small" onClick={() => refresh.run()}>
          Try again
        </button>
      </Notice>
    )
  if (!wallets)
    return status === 'none' ? null : (
      <p>
        <Skeleton width={24} />
        <Loading what="your custody wallet" />
      </p>
    )
  if (wallets.length === 0) return null
  const rows = wallets.map(({ address }) => ({ address, exportPath: `/custody/${address}/export` }))
  return (
    <>
      <h4>Custody wallet</h4>
      <WalletRows name="Custody accounts that you lose" wallets={rows} />
    </>
  )
}

/** Lists everything that is deleted with the account, with a link to export each wallet's key. */
export function LossList({ user }: { readonly user: User }): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  // Move a screen reader to the list before the confirmation field.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="stack">
      <h3 ref={heading} tabIndex={-1}>
        What you lose with your account
      </h3>
      <EmbeddedLoss user={user} />
      <CustodyLoss />
      <h4>Ways to sign in</h4>
      <ul className="bullets" aria-label="Ways to sign in that you lose">
        {signInMethods(user).map(credential => (
          <li key={credential.id} className="break">
            {credentialName(credential)} <span className="tag">{methods[credential.method].name}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
