import { useActiveAccount } from '@keybay/react'
import { AccountButton } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { UserButton } from '../account/user-button.js'
import { ConnectButton } from '../connect/connect-button.js'
import { EvmLink } from '../evm/evm-link.js'
import { useEvm } from '../evm/use-evm.js'
import { Link } from '../routing/link.js'
import { Nav } from './nav.js'

export function Header({ path }: { readonly path: string }): ReactElement {
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <header className="header">
      <div className="bar">
        <Link to="/" className="brand" aria-label="Keybay sandbox, overview">
          <img src="/favicon.svg" alt="" />
          <span>Keybay</span>
        </Link>
        <Nav path={path} />
        <div className="header-account">
          {account ? <AccountButton /> : evm ? <EvmLink evm={evm} /> : <ConnectButton isQuiet />}
          <UserButton />
        </div>
      </div>
    </header>
  )
}
