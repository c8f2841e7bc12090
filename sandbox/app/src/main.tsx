import { KeybayProvider } from '@keybay/react'
import { registerSandboxWallet } from '@keybay/sandbox-wallets'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { chainUrl } from './config.js'
import { createTimeline } from './developer/timeline.js'
import { trackFrame } from './embedded/frame-tag.js'
import { keybay } from './keybay.js'
import { keepReturned } from './phone/returned-notice.js'
import { tellReturned } from './social/social-mode.js'
import './design/layers.css'
import './design/tokens.css'
import './design/base.css'
import './design/parts.css'
import './design/fields.css'
import './design/feedback.css'
import './design/lists.css'
import './design/choices.css'
import './design/pages.css'
import './shell/shell.css'
import './developer/developer.css'
import './embedded/embedded.css'

// Subscribe at once, so that no event is missed before a page shows it.
const timeline = createTimeline(keybay)
keepReturned(keybay)
tellReturned(keybay)
trackFrame(keybay)

// Exposes the kit to developers in the browser console.
Object.assign(globalThis, { keybay })

// Test wallet for every feature. Installed real wallets are listed beside it.
registerSandboxWallet({ rpcUrl: chainUrl, launcher: false })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
createRoot(root).render(
  <StrictMode>
    <KeybayProvider keybay={keybay}>
      <App timeline={timeline} />
    </KeybayProvider>
  </StrictMode>,
)
