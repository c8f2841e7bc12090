import { useActiveAccount } from '@keybay/react'
import { AccountButton } from '@keybay/react/ui'
import { openSandboxWallet } from '@keybay/sandbox-wallets'
import { UserButton } from '../account/user-button.js'
import { ConnectButton } from '../connect/connect-provider.js'
import { Button, Empty, Glyph, type IconName, Page } from '../design/index.js'
import { EvmLink, useEvm } from '../evm/evm-card.js'
import { Link, LinkButton } from '../routing/link.js'

export function Header({ path }: { readonly path: string }) {
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

const pages: readonly { readonly to: string; readonly icon: IconName; readonly name: string }[] = [
  { to: '/', icon: 'home', name: 'Overview' },
  { to: '/send', icon: 'send', name: 'Send' },
  { to: '/receive', icon: 'receive', name: 'Receive' },
  { to: '/sign', icon: 'sign', name: 'Sign' },
  { to: '/explorer', icon: 'explore', name: 'Explorer' },
  { to: '/lab', icon: 'lab', name: 'Lab' },
]
/** Returns the menu entry that a page belongs to. */
function within(path: string): string {
  return /^\/(tx|address|block)\//.test(path) ? '/explorer' : path === '/activity' ? '/' : path
}

/** Main menu: beside the logo on a wide screen, at the bottom within thumb's reach on a narrow one. */
function Nav({ path }: { readonly path: string }) {
  const current = within(path)
  return (
    <nav className="nav" aria-label="Main">
      <ul>
        {pages.map(({ to, icon, name }) => (
          <li key={to}>
            <Link to={to} className="nav-link" aria-current={to === current ? 'page' : undefined}>
              <Glyph name={icon} />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <section className="card">
        <Empty
          icon="explore"
          title="There is nothing at this address"
          action={<LinkButton to="/" kind="primary" text="To the overview" />}
        >
          Check the address, or begin again from the overview.
        </Empty>
      </section>
    </Page>
  )
}
