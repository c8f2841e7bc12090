import { useAction, useKeybay } from '@keybay/react'
import { openSandboxWallet } from '@keybay/sandbox-wallets'
import { type FormEvent, useId, useState, useSyncExternalStore } from 'react'
import { authMode, changeAuthMode } from '../auth-mode.js'
import { Button, CopyButton } from '../design/button.js'
import { Problem } from '../design/feedback.js'
import { TextField } from '../design/field.js'
import { Page } from '../design/page.js'
import { useChange } from '../design/use-change.js'
import { PhoneCard } from '../phone/phone-card.js'
import { chooseSocialMode, socialMode } from '../social/social-mode.js'
import { inPage, labWallets, toggleLabWallet } from './wallets.js'

export function LabPage() {
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
          <Button text="Open wallet" onClick={openSandboxWallet} />
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

/** Sets the kit's `authMode`; the choice is stored in this browser. */
export function AuthModeCard() {
  const signs = authMode === 'connect-and-sign'
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>Connecting {signs ? 'signs in too' : 'does not sign in'}</h2>
        <p className="soft">
          {signs
            ? 'Whoever connects a wallet proves that it is theirs and is signed in, with one approval where the wallet can.'
            : 'A wallet is connected without a proof; signing in is a step of its own.'}
        </p>
      </div>
      <Button
        text={signs ? 'Connect only' : 'Connect and sign in'}
        onClick={() => changeAuthMode(signs ? 'connect-only' : 'connect-and-sign')}
      />
    </li>
  )
}

const FOLDER = 'sandbox/wallets/dist/unpacked'

/** Explains how to install the sandbox's browser extension, because a page cannot install it. */
export function ExtensionCard() {
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>A browser extension</h2>
        <p className="soft">
          A real one, with a window of its own. In Chrome, Edge or Brave open{' '}
          <span className="mono">chrome://extensions</span>, switch on “Developer mode”, press “Load unpacked” and
          choose the folder <span className="mono">{FOLDER}</span> of this repository. Then reload this page: it is
          listed as Phantom, and for EVM as Phantom (EVM). Its file <span className="mono">config.js</span> says how it
          shows itself.
        </p>
      </div>
      <CopyButton text={FOLDER} label="Copy the folder">
        Copy the folder
      </CopyButton>
    </li>
  )
}

/** Signs in with an account of the host: the app's server issues the token. */
export function HostTokenCard() {
  const { account } = useKeybay()
  const [user, setUser] = useState('mara')
  const id = useId()
  const show = useAction(async (signal, name: string) =>
    account.signInWithToken(await fetchHostToken(name, signal), { signal }),
  )
  const signIn = useChange(show, 'Signed in with the host’s token')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.run(user.trim())
  }
  return (
    <li className="card">
      <form className="stack" onSubmit={submit}>
        <div className="stack-tight">
          <h2>An account of the host’s own</h2>
          <p className="soft">
            This app’s server says who you are, in a token that it signs. Signed in already, you add the account to
            yours.
          </p>
        </div>
        <TextField
          id={id}
          label="User of the host"
          autoCapitalize="none"
          required
          maxLength={64}
          value={user}
          change={setUser}
        />
        <Button
          text={signIn.busy ? 'Signing in …' : 'Sign in with the host’s token'}
          type="submit"
          busy={signIn.busy}
        />
        <Problem title="Not signed in." error={signIn.error} />
      </form>
    </li>
  )
}

/** @param user of the host, e.g. `mara` @throws Error that says what the host answered */
export async function fetchHostToken(user: string, signal: AbortSignal): Promise<string> {
  const response = await fetch('/host-token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
    signal,
  })
  if (!response.ok) throw new Error(await response.text())
  const answer: unknown = await response.json()
  if (typeof answer === 'object' && answer !== null && 'token' in answer && typeof answer.token === 'string')
    return answer.token
  throw new Error('The host gave no token.')
}

/** Sets the kit's `mode` of social sign-in; the choice is stored in this browser. */
export function SocialModeCard() {
  const [mode, setMode] = useState(socialMode)
  const opens = mode === 'popup'
  const change = () => {
    const next = opens ? 'redirect' : 'popup'
    chooseSocialMode(next)
    setMode(next)
  }
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>Social sign-in {opens ? 'opens a window' : 'leaves the page'}</h2>
        <p className="soft">
          {opens
            ? 'The provider is visited in a window of its own; this page stays.'
            : 'The provider is visited in this tab, and the page goes on where it was when you come back.'}
        </p>
      </div>
      <Button text={opens ? 'Leave the page instead' : 'Open a window instead'} onClick={change} />
    </li>
  )
}
