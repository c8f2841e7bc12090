import { openSandboxWallet } from '@keybay/sandbox-wallets'
import type { ReactElement } from 'react'
import { Link } from '../routing/link.js'

export function Footer(): ReactElement {
  return (
    <footer className="footer">
      <p>
        A sandbox: the chain, the wallet and this page run on one machine. Its keys lie unencrypted in this browser.
        Never send real funds to them.
      </p>
      <p className="row">
        <button type="button" className="button button-small" onClick={openSandboxWallet}>
          Open Sandbox Wallet
        </button>
        <Link to="/lab">Lab: wallets to try</Link>
      </p>
    </footer>
  )
}
