import { useUser } from '@keybay/account/react'
import { userName } from '@keybay/account/ui'
import { shorten } from '@keybay/kernel/spec'
import { useActiveAccount, useKeybay, useSession } from '@keybay/react'
import { type FocusEvent, useId, useRef, useState } from 'react'
import { Button, toast, useLostFocus } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { SignInButton } from '../sign-in/sign-in-provider.js'

const LINKS = [
  ['/account', 'Account'],
  ['/wallets', 'Wallets'],
  ['/custody', 'Custody wallet'],
] as const

/** Header button: opens sign-in, or shows the signed-in user with links to the account and sign-out. */
export function UserButton() {
  const { status } = useSession()
  useLostFocus(status)
  if (status !== 'authenticated' && status !== 'verification') return <SignInButton />
  return <UserMenu status={status} />
}

/** Reads the user, which loads the code of accounts: only for a signed-in user. */
function UserMenu({ status }: { readonly status: 'authenticated' | 'verification' }) {
  const { account } = useKeybay()
  const { user } = useUser()
  const [isOpen, show] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const name = user ? userName(user) : 'You'
  const { account: active } = useActiveAccount()
  // The button beside it shows the same address.
  const isAddress = active !== undefined && shorten(active.address) === name
  const signOut = () => {
    show(false)
    void account.signOut().then(() => toast('You are signed out', 'good', 'session'))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and leaving close the menu inside
    <div
      className="user"
      onKeyDown={event => {
        if (!isOpen || event.key !== 'Escape') return
        show(false)
        button.current?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) show(false)
      }}
    >
      <Button
        ref={button}
        className="user-button"
        aria-label={isAddress ? `Signed in as ${name}: account` : `Signed in as ${name}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => show(!isOpen)}
        icon="user"
        text={<span className="user-name">{isAddress ? 'Account' : name}</span>}
      />
      {isOpen && (
        // Focusable, because Safari does not focus a clicked button: the click would count as leaving the menu.
        <div id={id} className="user-menu" tabIndex={-1}>
          <p className="small soft break">{name}</p>
          {status === 'verification' && <p className="small">One step is missing before you can go on.</p>}
          {LINKS.map(([to, text]) => (
            <LinkButton key={to} to={to} kind="quiet" wide text={text} onClick={() => show(false)} />
          ))}
          <Button kind="quiet" wide icon="leave" text="Sign out" onClick={signOut} />
        </div>
      )}
    </div>
  )
}
