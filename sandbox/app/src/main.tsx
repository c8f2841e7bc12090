import { KeybayProvider } from '@keybay/react'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { trackFrame } from './embedded/frame-tag.js'
import { keybay } from './keybay.js'
import { offerSandboxWallet } from './lab/sandbox-wallet.js'
import { keepReturned } from './phone/returned-notice.js'
import { tellReturned } from './social/social-mode.js'
import './design/layers.css'
import './design/tokens.css'
import './design/base.css'
import './design/parts.css'
import './design/fields.css'
import './design/lists.css'
import './design/choices.css'
import './design/pages.css'
import './shell/shell.css'
import './embedded/embedded.css'

keepReturned(keybay)
tellReturned(keybay)
trackFrame(keybay)

// Exposes the kit to developers in the browser console.
Object.assign(globalThis, { keybay })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
const app = (
  <StrictMode>
    <KeybayProvider keybay={keybay}>
      <App />
    </KeybayProvider>
  </StrictMode>
)
// A transition renders in small steps, between which the page stays responsive.
startTransition(() => createRoot(root).render(app))
offerSandboxWallet()
