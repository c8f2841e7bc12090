/** Wallet's own window: accounts, lock, hardware mode and this app's permission. */
import { div, h, p, span } from './dom.js'
import type { Keyring } from './keyring.js'
import { avatar, shortAddress, windowHeader } from './parts.js'

export interface ControlPanelParts {
  readonly root: ShadowRoot
  readonly name: string
  readonly icon: string
  readonly keyring: Keyring
  label(address: string): string
  lock(): void
  unlock(): void
  disconnect(): void
}
export function createControlPanel(parts: ControlPanelParts) {
  const { root, name, icon, keyring, label, lock, unlock, disconnect } = parts
  const { origin, host } = location
  const dialog = h('dialog', { 'aria-labelledby': 'panel-title' })
  const status = h('p', { className: 'small', role: 'status' })
  root.append(dialog)

  const copy = async () => {
    const { address } = keyring.active
    try {
      await navigator.clipboard.writeText(address)
      status.textContent = 'Address copied.'
    } catch {
      status.textContent = `The browser did not allow copying. The address is ${address}`
    }
  }

  const accountButton = (address: string, index: number) => {
    const active = address === keyring.active.address
    const onclick = () => keyring.select(index)
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', name: address, className: 'account', 'aria-pressed': String(active), onclick },
        avatar(address),
        span('grow', span('strong', label(address)), span('small mono', shortAddress(address))),
        active && h('span', { className: 'tick', 'aria-hidden': 'true' }, '✓'),
      ),
    )
  }

  const drawActions = (trusted: boolean, hardware: boolean) =>
    div(
      'actions',
      button('add', 'Add account', keyring.add),
      button('copy', 'Copy address', () => void copy()),
      keyring.locked ? button('lock', 'Unlock wallet', unlock) : button('lock', 'Lock wallet', lock),
      button('hardware', `Be a ${hardware ? 'software' : 'hardware'} wallet`, () => keyring.setHardware(!hardware)),
      button('disconnect', 'Disconnect this site', disconnect, !trusted),
    )

  const render = () => {
    const focused = root.activeElement instanceof HTMLButtonElement ? root.activeElement.name : undefined
    const trusted = keyring.trusts(origin)
    const hardware = keyring.hardware !== false
    const body = div(
      'body',
      h('h2', { id: 'panel-title' }, name),
      h('ul', { 'aria-label': 'Accounts' }, ...keyring.keys.map(({ address }, index) => accountButton(address, index))),
      drawActions(trusted, hardware),
      p('small', trusted ? `${host} is trusted and may connect without asking.` : `${host} is not connected.`),
      hardware && p('small', 'Hardware wallet: it signs transactions and refuses messages.'),
      status,
      p(
        'warning',
        'For the sandbox only: the keys lie unencrypted in this browser. Never fund them with anything real.',
      ),
    )
    const footer = div(
      'foot one',
      button('close', 'Close', () => dialog.close()),
    )
    dialog.replaceChildren(windowHeader(icon, 'Sandbox', keyring.locked ? 'Locked' : 'Unlocked'), body, footer)
    // The buttons were replaced: the button just used keeps the focus, or the last one if that button is now disabled.
    if (focused === undefined) return
    const buttons = [...dialog.querySelectorAll('button')].filter(button => !button.disabled)
    const next = buttons.find(button => button.name === focused) ?? buttons.at(-1)
    next?.focus()
  }

  return {
    open: () => {
      status.textContent = ''
      render()
      if (!dialog.open) dialog.showModal()
    },
    /** Redraws after the keyring changed. */
    refresh: () => {
      if (dialog.open) render()
    },
  }
}

function button(name: string, text: string, onclick: () => void, disabled = false): HTMLElement {
  return h('button', { type: 'button', name, onclick, disabled }, text)
}
