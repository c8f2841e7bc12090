/** Home page of a visitor. The server sends it before the app's code, so it reads no state. */
import { ConnectButton } from '../connect/connect-provider.js'
import { Glyph, type GlyphName, Page } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { SignInButton } from '../sign-in/sign-in-provider.js'
import { EventsButton } from './events-button.js'
import { HostCode } from './host-code.js'

interface Point {
  readonly icon: GlyphName
  readonly title: string
  readonly text: string
}

const POINTS: readonly Point[] = [
  {
    icon: 'user',
    title: 'Every way to sign in',
    text: 'Email, phone, passkey, a wallet, or one of 22 providers. Users add more to the same account.',
  },
  {
    icon: 'shield',
    title: 'A wallet for every user',
    text: 'Created at sign-in. Its key is split into shares that sign together, so no server or device holds it.',
  },
  {
    icon: 'wallet',
    title: 'The wallets users have',
    text: 'Browser extensions, phone apps and custody wallets, for Solana, Ethereum and Bitcoin.',
  },
  {
    icon: 'code',
    title: 'Open source and small',
    text: 'Apache 2.0. Lists, connects and signs in 11.5 KB; everything else loads when it is first used.',
  },
]

const STEPS: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Sign in', text: 'With any email address: messages arrive in the sandbox’s own inbox.' },
  { title: 'Get test SOL', text: 'From the local faucet. It has no value, and there is plenty.' },
  { title: 'Send or sign', text: 'Watch each step, from the first click to the confirmation on the chain.' },
]

function Points() {
  return (
    <ul className="welcome-points" aria-label="What Keybay does">
      {POINTS.map(({ icon, title, text }) => (
        <li key={title} className="keybay-card">
          <span className="keybay-empty-mark">
            <Glyph name={icon} size={24} />
          </span>
          <h3>{title}</h3>
          <p className="soft">{text}</p>
        </li>
      ))}
    </ul>
  )
}

export function Welcome() {
  return (
    <Page
      title="Sign-in and wallets for your app"
      tabTitle="Welcome"
      action={
        <div className="row">
          <SignInButton />
          <ConnectButton />
          <LinkButton to="/explorer" text="Look at the chain" />
        </div>
      }
      aside={<HostCode />}
      lead="Keybay signs users in and gives each one a wallet. This is a real app built with it, and a real Solana chain: all on one machine, so try everything."
    >
      <section className="keybay-card welcome-start" aria-labelledby="start">
        <h2 id="start">Start here</h2>
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
      <section className="stack" aria-labelledby="points">
        <h2 id="points">What Keybay does</h2>
        <Points />
      </section>
    </Page>
  )
}
