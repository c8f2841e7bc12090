/** All wallet elements in the page: one host element with its own shadow root. */
import { createApprovalWindow } from './approval-window.js'
import { createControlPanel } from './control-panel.js'
import { h } from './dom.js'
import type { Keyring } from './keyring.js'
import type { Requests } from './requests.js'
import { createStyleSheet } from './styles.js'

/** Tag name of the host element. */
export const HOST_ELEMENT = 'keybay-sandbox-wallet'

export interface UiParts {
  readonly name: string
  readonly icon: string
  readonly keyring: Keyring
  readonly requests: Requests
  /** Shows the button that opens the control panel. */
  readonly launcher: boolean
  approve(): void
  reject(): void
  lock(): void
  unlock(): void
  disconnect(): void
}
export function createUi(parts: UiParts) {
  const { name, icon, keyring, requests, launcher } = parts
  const host = document.createElement(HOST_ELEMENT)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createStyleSheet()]
  const label = (address: string) => `Account ${keyring.keys.findIndex(key => key.address === address) + 1}`
  const panel = createControlPanel({ ...parts, root, label })
  const approval = createApprovalWindow({ ...parts, root, label })

  if (launcher) {
    const image = h('img', { src: icon, alt: '' })
    const open = h(
      'button',
      { type: 'button', className: 'launcher', title: name, onclick: panel.open, 'aria-label': `Open ${name}` },
      image,
    )
    // A region, so that the page's own landmarks stay complete.
    root.append(h('section', { 'aria-label': name }, open))
  }
  document.body.append(host)

  const showRequest = () => approval.show(requests.current, requests.waiting)
  const unsubscribes = [requests.subscribe(showRequest), keyring.subscribe(panel.refresh)]
  return {
    openPanel: panel.open,
    dispose: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      host.remove()
    },
  }
}
