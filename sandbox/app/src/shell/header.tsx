import { useActiveAccount } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { ConnectButton } from '../connect/connect-button.js'
import { shorten } from '../design/format.js'
import { Link } from '../routing/link.js'
import { Nav } from './nav.js'

export function Header({ path }: { readonly path: string }): ReactElement {
  const { account, connector } = useActiveAccount()
  return (
    <header className="header">
      <div className="bar">
        <Link to="/" className="brand" aria-label="Keybay sandbox, overview">
          <img src="/favicon.svg" alt="" />
          <span>Keybay</span>
        </Link>
        <Nav path={path} />
        <div className="header-account">
          {account && connector ? (
            <Link to="/" className="button account-chip" aria-label={`Account ${account.address}`}>
              <Icon connector={connector} size={20} />
              <span className="mono">{shorten(account.address)}</span>
            </Link>
          ) : (
            <ConnectButton />
          )}
        </div>
      </div>
    </header>
  )
}
