/** Elements that both windows show. */
import { div, h, span } from './dom.js'

/** Shortens an address: `7Gh2Kq…F3x9Qp`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-6)}`
}

/** Formats a chain's name: `solana:localnet` → `Localnet`. */
export function chainName(chain: string): string {
  const name = chain.slice(chain.indexOf(':') + 1)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Draws a round picture, always the same for the same address. */
export function avatar(address: string): HTMLElement {
  // FNV-1a, so that similar addresses get different pictures.
  const hash = [...address].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5)
  const hue = hash % 360
  const other = hue + 40 + ((hash >>> 9) % 100)
  const element = h('span', { className: 'avatar', 'aria-hidden': 'true' })
  element.style.background = `linear-gradient(135deg, hsl(${hue} 85% 62%), hsl(${other % 360} 80% 48%))`
  return element
}

export function site(origin: string): HTMLElement {
  const { host } = new URL(origin)
  const mark = h('span', { className: 'mark', 'aria-hidden': 'true' }, host.charAt(0).toUpperCase())
  return div('site', mark, div('grow', span('strong', host), span('small', origin)))
}

/** @param label e.g. `Account 1` */
export function accountRow(label: string, address: string): HTMLElement {
  return div('site', avatar(address), div('grow', span('strong', label), span('small mono', address)))
}

export function windowHeader(icon: string, name: string, badge: string): HTMLElement {
  return div('head', h('img', { src: icon, alt: '' }), h('span', {}, name), span('badge', badge))
}
