import { shorten } from '@keybay/kernel/spec'
import { type FocusEvent, type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react'
import { useDisconnect } from '../connect.js'
import { useAccounts, useActiveAccount } from '../stores.js'
import { ConnectDialog } from './connect-dialog.js'
import { Icon } from './icon.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass, useRoot } from './provider.js'

/** The menu of the active account: copy its address, choose another account, disconnect. */
function AccountMenu({ onDone }: { onDone(): void }): ReactElement | null {
  const { account, connector, setActive } = useActiveAccount()
  const accounts = useAccounts().filter(({ chains }) => chains.some(chain => chain.startsWith('solana:')))
  const disconnect = useDisconnect()
  const [notice, setNotice] = useState('')
  const name = useId()
  const { text, rich } = useMessages(ui)
  const rowClass = join('keybay-row', usePartClass('row'))
  if (!account) return null
  const { address, connectorId } = account
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => setNotice(text('copied')),
      () => setNotice(text('copyAddressBlocked')),
    )
  }
  return (
    <>
      <p className="keybay-address">
        <bdi>{address}</bdi>
      </p>
      {accounts.length > 1 && (
        <fieldset>
          <legend>{text('account')}</legend>
          {accounts.map(({ key, label, address: other }) => (
            <label key={key} className={rowClass}>
              <input type="radio" name={name} checked={key === account.key} onChange={() => setActive(key)} />
              <span className="keybay-name">
                <bdi>{label ?? shorten(other)}</bdi>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <button type="button" className={rowClass} onClick={copy}>
        {text('copyAddress')}
      </button>
      <button
        type="button"
        className={rowClass}
        onClick={() => {
          disconnect.run(connectorId)
          onDone()
        }}
      >
        <span>{rich('disconnect', { name: connector?.name })}</span>
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
  const { text } = useMessages(ui)
  const root = useRoot('keybay-account')
  const buttonClass = usePartClass('button')
  const menuClass = usePartClass('menu')
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
      {...root}
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
        className={join('keybay-button', !account && 'keybay-button-primary', buttonClass)}
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
        {account ? <bdi title={account.address}>{shorten(account.address)}</bdi> : text('connect')}
      </button>
      {isMenuOpen && (
        // Focusable, because Safari does not focus a clicked button, and the click would count as leaving.
        <div id={id} className={join('keybay-menu', menuClass)} data-side={shown} tabIndex={-1}>
          <AccountMenu onDone={closeAndReturn} />
        </div>
      )}
      <ConnectDialog open={shown === 'dialog'} onClose={close} />
    </div>
  )
}
