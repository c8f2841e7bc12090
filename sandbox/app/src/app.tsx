import { DeletionNotice } from '@keybay/account/ui'
import { PendingNotice } from './activity/pending-notice.js'
import { useLook } from './catalogue/look.js'
import { ChainTrouble } from './chain/chain-health.js'
import { ConnectProvider } from './connect/connect-provider.js'
import { PageNotice, ToastRegion, UiProvider } from './design/index.js'
import { CurrentPage, usePreload } from './pages.js'
import { ReturnedNotice } from './phone/returned-notice.js'
import { parseRoute, usePath } from './routing/router.js'
import { Footer, Header } from './shell/header.js'
import { StatusBar } from './shell/status-bar.js'
import { Devtools, useDevtools } from './shell/use-devtools.js'
import { SignInProvider } from './sign-in/sign-in-provider.js'

export function App() {
  const path = usePath()
  const panel = useDevtools()
  usePreload()
  const look = useLook()
  return (
    <UiProvider {...look}>
      <SignInProvider>
        <ConnectProvider>
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
              <PageNotice value={<ReturnedNotice />}>
                <Devtools value={panel}>
                  <CurrentPage key={path} route={parseRoute(path)} />
                </Devtools>
              </PageNotice>
            </main>
            <Footer />
          </div>
          <ToastRegion />
        </ConnectProvider>
      </SignInProvider>
    </UiProvider>
  )
}
