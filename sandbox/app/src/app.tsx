import type { ReactElement } from 'react'
import { DeletionNotice } from './account/deletion-notice.js'
import { PendingNotice } from './activity/pending-notice.js'
import { ConnectProvider } from './connect/connect-provider.js'
import { DeveloperPanel } from './developer/developer-panel.js'
import { useDeveloperPanel } from './developer/use-developer-panel.js'
import { CurrentPage } from './pages.js'
import { parseRoute, usePath } from './routing/router.js'
import { ChainTrouble } from './shell/chain-trouble.js'
import { Footer } from './shell/footer.js'
import { Header } from './shell/header.js'
import { StatusBar } from './shell/status-bar.js'
import { ToastRegion } from './shell/toast-region.js'
import { SignInProvider } from './sign-in/sign-in-provider.js'

export function App(): ReactElement {
  const path = usePath()
  const panel = useDeveloperPanel()
  return (
    <ConnectProvider>
      <SignInProvider>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <div className={panel.isOpen ? 'shell shell-with-panel' : 'shell'}>
          <StatusBar panel={panel} />
          <Header path={path} />
          <main id="main" tabIndex={-1}>
            <ChainTrouble />
            <DeletionNotice />
            <PendingNotice />
            <CurrentPage key={path} route={parseRoute(path)} />
          </main>
          <Footer />
        </div>
        {panel.isOpen && <DeveloperPanel close={panel.toggle} />}
        <ToastRegion />
      </SignInProvider>
    </ConnectProvider>
  )
}
