/** How wallets for EVM say that they are there: https://eips.ethereum.org/EIPS/eip-6963 */
import type { WalletIcon } from '@wallet-standard/base'

/** https://eips.ethereum.org/EIPS/eip-1193 */
export interface EvmProvider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  readonly on?: unknown
  readonly removeListener?: unknown
}
export interface Announced {
  readonly info: { readonly rdns: string; readonly name: string; readonly icon: WalletIcon }
  readonly provider: EvmProvider
}

/** Nothing that could end an attribute or a `url()` fits in it; some encode their picture, some do not. */
const ICON = /^data:image\/[\w.+-]+[;,][^"'<>\\]{1,200000}$/

function isIcon(value: string): value is WalletIcon {
  return ICON.test(value)
}
const BLANK = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='

/** Any script of the page may announce anything. @throws what a hostile one throws when it is read */
export function readAnnounced(detail: unknown): Announced | undefined {
  const { info, provider } = Object(detail)
  const { rdns, name, icon } = Object(info)
  const shown = String(name)
    .slice(0, 64)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return /^[\w-]+(\.[\w-]+)+$/.test(rdns) && shown && typeof provider?.request === 'function'
    ? { info: { rdns, name: shown, icon: isIcon(String(icon)) ? icon : BLANK }, provider }
    : undefined
}
