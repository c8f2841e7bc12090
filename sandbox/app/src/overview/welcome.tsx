import type { ReactElement } from 'react'
import { ConnectButton } from '../connect/connect-button.js'
import { Glyph, type IconName } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'

const steps: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  {
    icon: 'wallet',
    title: 'Connect',
    text: 'Any Solana wallet in this browser, or the sandbox wallet that comes with the page.',
  },
  { icon: 'drop', title: 'Fill it', text: 'Ask the local faucet for SOL. It is worth nothing, and there is plenty.' },
  {
    icon: 'send',
    title: 'Send and sign',
    text: 'Watch every step from the first byte to the confirmation on the chain.',
  },
]

/** First view for a new user. */
export function Welcome(): ReactElement {
  return (
    <Page
      title="Connect a wallet and move some SOL"
      tabTitle="Welcome"
      action={
        <div className="row">
          <ConnectButton />
          <Link to="/wallets/new" className="button">
            Create a wallet
          </Link>
          <Link to="/explorer" className="button">
            Look at the chain
          </Link>
        </div>
      }
      lead="Everything here is real software on one machine: a Solana chain, a wallet with keys, and an app built with Keybay."
    >
      <ol className="welcome-steps">
        {steps.map(({ icon, title, text }) => (
          <li key={title} className="card">
            <span className="empty-mark">
              <Glyph name={icon} size={24} />
            </span>
            <div className="stack-tight">
              <h2>{title}</h2>
              <p className="soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Page>
  )
}
