/** Phone's screen: cards in a shadow root, below the wallet's own windows. */
import { type Child, h } from '../../dom.js'
import { createStyleSheet } from '../../styles.js'

const LAYOUT = `
main { display: grid; gap: 16px; max-width: 420px; margin: 0 auto; padding: 24px 16px; color: var(--text) }
.card { background: var(--surface) }
a, select { font: inherit; color: inherit; min-height: 44px; border-radius: 12px; border: 1px solid var(--line); padding: 8px 14px;
  background: var(--raised); display: grid; place-items: center; width: 100%; text-decoration: none; font-weight: 600 }
label { display: grid; gap: 6px }
h1 { font-size: 24px; line-height: 1.2 }
`

export interface Screen {
  readonly root: ShadowRoot
  show(...children: readonly Child[]): void
}

export function createScreen(): Screen {
  const host = h('div')
  const root = host.attachShadow({ mode: 'open' })
  const layout = new CSSStyleSheet()
  layout.replaceSync(LAYOUT)
  root.adoptedStyleSheets = [createStyleSheet(), layout]
  const main = h('main')
  root.append(main)
  document.body.append(host)
  return {
    root,
    show: (...children) => main.replaceChildren(...children.filter(child => child !== undefined && child !== false)),
  }
}

export function card(title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { className: 'card', 'aria-label': title }, h('h2', {}, title), ...children)
}
