import { type FocusEvent, type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react'
import { useDisconnect } from '../connect.js'
import { useAccounts, useActiveAccount } from '../stores.js'
import { ConnectDialog } from './connect-dialog.js'
import { Icon } from './icon.js'

/** `7xKX…gAsU` */
function shorten(address: string): string {
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address
}

/** The menu of the active account: copy its address, choose another account, disconnect. */
function AccountMenu({ onDone }: { onDone(): void }): ReactElement | null {
  const { account, connector, setActive } = useActiveAccount()
  const accounts = useAccounts().filter(({ chains }) => chains.some(chain => chain.startsWith('solana:')))
  const disconnect = useDisconnect()
  const [notice, setNotice] = useState('')
  const name = useId()
  if (!account) return null
  const { address, connectorId } = account
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => setNotice('Copied'),
      () => setNotice('Your browser blocked copying. Select the address and copy it.'),
    )
  }
  return (
    <>
      <p className="keybay-address">{address}</p>
      {accounts.length > 1 && (
        <fieldset>
          <legend>Account</legend>
          {accounts.map(({ key, label, address: other }) => (
            <label key={key} className="keybay-row">
              <input type="radio" name={name} checked={key === account.key} onChange={() => setActive(key)} />
              <span className="keybay-name">{label ?? shorten(other)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <button type="button" className="keybay-row" onClick={copy}>
        Copy address
      </button>
      <button
        type="button"
        className="keybay-row"
        onClick={() => {
          disconnect.run(connectorId)
          onDone()
        }}
      >
        Disconnect {connector?.name}
      </button>
      <p role="status">{notice}</p>
    </>
  )
}

/**
 * A button for the corner of a page: connects, then shows the active account with a small menu. Needs
 * `@keybay/react/ui.css`.
 *
 * @example <AccountButton />
 */
export function AccountButton(): ReactElement {
  const { account, connector } = useActiveAccount()
  const [shown, show] = useState<'dialog' | 'left' | 'right'>()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => show(undefined)
  const isMenuOpen = shown !== undefined && shown !== 'dialog' && account !== undefined
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and leaving close the menu inside
    <div
      className="keybay keybay-account"
      onKeyDown={(event: KeyboardEvent) => {
        if (isMenuOpen && event.key === 'Escape') closeAndReturn()
      }}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        if (isMenuOpen && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      {/* The same element in both states, so that the focus can return to it. */}
      <button
        ref={button}
        type="button"
        className="keybay-button"
        aria-expanded={account ? isMenuOpen : undefined}
        aria-controls={isMenuOpen ? id : undefined}
        onClick={({ currentTarget }) => {
          // The menu opens towards the middle of the page.
          const { left, right } = currentTarget.getBoundingClientRect()
          const side = left + right < window.innerWidth ? 'left' : 'right'
          show(account ? (isMenuOpen ? undefined : side) : 'dialog')
        }}
      >
        {connector && <Icon connector={connector} size={20} />}
        {account ? <span title={account.address}>{shorten(account.address)}</span> : 'Connect'}
      </button>
      {isMenuOpen && (
        // Focusable, because Safari does not focus a clicked button, and the click would count as leaving.
        <div id={id} className="keybay-menu" data-side={shown} tabIndex={-1}>
          <AccountMenu onDone={closeAndReturn} />
        </div>
      )}
      <ConnectDialog open={shown === 'dialog'} onClose={close} />
    </div>
  )
}
