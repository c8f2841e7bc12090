import { useAction, useKeybay } from '@keybay/react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { authMode, changeAuthMode } from '../auth-mode.js'
import { at, text } from '../chain/rpc.js'
import { Button, CopyButton, LabCard, LineForm, Page, Problem, useChange } from '../design/index.js'
import { PhoneCard } from '../phone/phone-card.js'
import { LinkButton } from '../routing/link.js'
import { chooseSocialMode, socialMode } from '../social/social-mode.js'
import { openSandboxWallet } from './sandbox-wallet.js'
import { inPage, labWallets, toggleLabWallet } from './wallets.js'

export function LabPage() {
  const added = useSyncExternalStore(inPage.subscribe, inPage.get)
  return (
    <Page title="Lab" lead="Wallets to try the app with, until the page is reloaded, and other ways to sign in.">
      <ul className="lab">
        {labWallets.map(wallet => {
          const { id, title, text, what, watch } = wallet
          const isThere = added.includes(id)
          const verb = isThere ? 'Remove' : 'Add'
          const toggle = () => toggleLabWallet(wallet)
          return (
            <LabCard key={id} title={title} text={text}>
              <p>
                <strong>Watch:</strong> {watch}
              </p>
              <Button kind={isThere ? undefined : 'primary'} text={`${verb} ${what}`} onClick={toggle} />
            </LabCard>
          )
        })}
        <LabCard
          title="The newest sandbox wallet’s own window"
          text="Switch its account, lock it, or disconnect this site: the app follows at once."
        >
          <Button text="Open wallet" onClick={openSandboxWallet} />
        </LabCard>
        <PhoneCard />
        <LabCard title="A browser extension" text={extensionText}>
          <CopyButton text={FOLDER} label="Copy the folder">
            Copy the folder
          </CopyButton>
        </LabCard>
        <AuthModeCard />
        <SocialModeCard />
        <HostTokenCard />
        <LabCard title="The UI kit" text="Every part of the kit, in its themes and languages.">
          <LinkButton to="/catalogue" text="Open the catalogue" />
        </LabCard>
      </ul>
    </Page>
  )
}

const FOLDER = 'sandbox/wallets/dist/unpacked'
/** A page cannot install an extension. */
const extensionText: ReactNode = (
  <>
    A real one, with a window of its own. In Chrome, Edge or Brave open{' '}
    <span className="mono">chrome://extensions</span>, switch on “Developer mode”, press “Load unpacked” and choose the
    folder <span className="mono">{FOLDER}</span> of this repository. Then reload this page: it is listed as Phantom,
    and for EVM as Phantom (EVM). Its file <span className="mono">config.js</span> says how it shows itself.
  </>
)

/** Sets the kit's `authMode`; the choice is stored in this browser. */
function AuthModeCard() {
  const signs = authMode === 'connect-and-sign'
  const change = () => changeAuthMode(signs ? 'connect-only' : 'connect-and-sign')
  const text = signs
    ? 'A user who connects a wallet proves that it is theirs and is signed in, with one approval where the wallet can.'
    : 'A wallet is connected without a proof; signing in is a step of its own.'
  return (
    <LabCard title={`Connecting ${signs ? 'signs in too' : 'does not sign in'}`} text={text}>
      <Button text={signs ? 'Connect only' : 'Connect and sign in'} onClick={change} />
    </LabCard>
  )
}

/** Sets the kit's `mode` of social sign-in; the choice is stored in this browser. */
function SocialModeCard() {
  const [mode, setMode] = useState(socialMode)
  const opens = mode === 'popup'
  const change = () => {
    const next = opens ? 'redirect' : 'popup'
    chooseSocialMode(next)
    setMode(next)
  }
  const text = opens
    ? 'The provider is visited in a window of its own; this page stays.'
    : 'The provider is visited in this tab, and the page goes on where it was when you come back.'
  return (
    <LabCard title={`Social sign-in ${opens ? 'opens a window' : 'leaves the page'}`} text={text}>
      <Button text={opens ? 'Leave the page instead' : 'Open a window instead'} onClick={change} />
    </LabCard>
  )
}

/** @returns a JWT in which the host's server identifies the user @throws Error that says what the host answered */
async function fetchHostToken(user: string, signal: AbortSignal): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/host-token', { method: 'POST', headers, body: JSON.stringify({ user }), signal })
  if (!response.ok) throw new Error(await response.text())
  const token = text(at(await response.json(), 'token'))
  if (token === undefined) throw new Error('The host gave no token.')
  return token
}

function HostTokenCard() {
  const { account } = useKeybay()
  const action = useAction(async (signal, name: string) =>
    account.signInWithToken(await fetchHostToken(name, signal), { signal }),
  )
  const { busy, error, run } = useChange(action, 'Signed in with the host’s token')
  const says =
    'This app’s server says who you are, in a token that it signs. Signed in already, you add the account to yours.'
  return (
    <LabCard title="An account of the host’s own" text={says}>
      <LineForm
        label="User of the host"
        input={{ autoCapitalize: 'none', maxLength: 64, readOnly: false }}
        initial="mara"
        wide
        action={busy ? 'Signing in …' : 'Sign in with the host’s token'}
        busy={busy}
        submit={user => (user ? void run(user) : 'Enter the name of a user.')}
      />
      <Problem title="Not signed in." error={error} />
    </LabCard>
  )
}
