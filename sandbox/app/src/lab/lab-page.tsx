import { openSandboxWallet } from '@keybay/sandbox-wallets'
import { type ReactElement, useSyncExternalStore } from 'react'
import { PhoneCard } from '../phone/phone-card.js'
import { Page } from '../shell/page.js'
import { SocialModeCard } from '../social/mode-card.js'
import { AuthModeCard } from './auth-mode-card.js'
import { ExtensionCard } from './extension-card.js'
import { HostTokenCard } from './host-token-card.js'
import { inPage, labWallets, toggleLabWallet } from './wallets.js'

export function LabPage(): ReactElement {
  const added = useSyncExternalStore(inPage.subscribe, inPage.get)
  return (
    <Page title="Lab" lead="Wallets to try the app with, until the page is reloaded, and other ways to sign in.">
      <ul className="lab">
        {labWallets.map(wallet => {
          const there = added.includes(wallet.id)
          return (
            <li key={wallet.id} className="card">
              <div className="stack-tight">
                <h2>{wallet.title}</h2>
                <p className="soft">{wallet.text}</p>
              </div>
              <button
                type="button"
                className={there ? 'button' : 'button button-primary'}
                aria-label={`${there ? 'Remove' : 'Add'}: ${wallet.title}`}
                onClick={() => toggleLabWallet(wallet)}
              >
                {there ? 'Remove' : 'Add'}
              </button>
            </li>
          )
        })}
        <li className="card">
          <div className="stack-tight">
            <h2>The newest sandbox wallet’s own window</h2>
            <p className="soft">Switch its account, lock it, or disconnect this site: the app follows at once.</p>
          </div>
          <button type="button" className="button" onClick={openSandboxWallet}>
            Open wallet
          </button>
        </li>
        <PhoneCard />
        <ExtensionCard />
        <AuthModeCard />
        <SocialModeCard />
        <HostTokenCard />
      </ul>
    </Page>
  )
}
