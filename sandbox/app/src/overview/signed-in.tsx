/** Home page of a signed-in user who has connected no wallet. */
import type { KeybayError } from '@keybay/kernel/spec'
import { useKeybay } from '@keybay/react'
import { useEffect, useState } from 'react'
import { ConnectButton } from '../connect/connect-provider.js'
import { Page, Problem } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { EventsButton } from './events-button.js'
import { HostCode } from './host-code.js'

const STEPS: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Get a wallet', text: 'Create one for your account, or connect one that you already have.' },
  { title: 'Sign a message', text: 'Nothing is sent. Anyone can check the signature with your address.' },
  { title: 'Secure your account', text: 'Add a second way to sign in, and an authenticator app.' },
]

/** Says why a new user, whose wallet is created in the background, has none. */
function NoWallet() {
  const { on } = useKeybay()
  const [error, setError] = useState<KeybayError>()
  useEffect(() => on('waas:failed', failed => setError(failed.error)), [on])
  return <Problem title="Your wallet isn’t ready." error={error} />
}

export function SignedIn() {
  return (
    <Page
      title="You’re signed in"
      tabTitle="Welcome"
      action={
        <div className="row">
          <LinkButton to="/wallets/new" text="Create a wallet" />
          <ConnectButton />
          <LinkButton to="/account" text="Secure your account" />
        </div>
      }
      aside={<HostCode />}
      lead="One more step: choose the wallet that signs for you."
    >
      <NoWallet />
      <section className="keybay-card welcome-start" aria-labelledby="next">
        <h2 id="next">Next steps</h2>
        <ol className="welcome-steps">
          {STEPS.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p className="soft">{text}</p>
            </li>
          ))}
        </ol>
        <EventsButton />
      </section>
    </Page>
  )
}
