import { useActiveAccount } from '@keybay/react'
import { AccountButton } from '@keybay/react/ui'
import { UserButton } from '../account/user-button.js'
import { ConnectButton } from '../connect/connect-provider.js'
import { Button } from '../design/index.js'
import { EvmLink, useEvm } from '../evm/evm-card.js'
import { openSandboxWallet } from '../lab/sandbox-wallet.js'
import { Link } from '../routing/link.js'
import { Brand, Nav } from './nav.js'

export function Header({ path }: { readonly path: string }) {
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <header className="header">
      <div className="bar">
        <Brand />
        <Nav path={path} />
        <div className="header-account">
          {account ? <AccountButton /> : evm ? <EvmLink evm={evm} /> : <ConnectButton isQuiet />}
          <UserButton />
        </div>
      </div>
    </header>
  )
}

export function Footer() {
  return (
    <footer className="footer">
      <p>
        A sandbox: the chain, the wallet and this page run on one machine. Its keys lie unencrypted in this browser.
        Never send real funds to them.
      </p>
      <p className="row">
        <Button small text="Open Sandbox Wallet" onClick={openSandboxWallet} />
        <Link to="/lab">Lab: wallets to try</Link>
      </p>
    </footer>
  )
}
