/** Reads the announcements of EVM wallets: https://eips.ethereum.org/EIPS/eip-6963 */
import { field } from '@keybay/kernel/spec'
import type { WalletIcon } from '@wallet-standard/base'
import { type EventProvider, isFunction } from '../provider.js'

/** https://eips.ethereum.org/EIPS/eip-1193 */
export interface EvmProvider extends EventProvider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}
export interface Announced {
  readonly rdns: string
  /** New on each page. */
  readonly uuid: unknown
  readonly name: string
  readonly icon: WalletIcon
  readonly provider: EvmProvider
}
/** No match can end an attribute. Some wallets encode their picture, some do not. */
const ICON = /^data:image\/[\w.+-]+[;,][^"'<>\\\p{C}]{1,200000}$/u
const MAX_NAME_CHARACTERS = 64
const BLANK: WalletIcon = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='

function isIcon(value: unknown): value is WalletIcon {
  return typeof value === 'string' && ICON.test(value)
}

/** Encodes what could end a `url()`; an SVG that is not encoded has such characters. */
function readIcon(value: unknown): WalletIcon {
  const encoded = isIcon(value) ? value.replace(/[()\s]/g, encodeCharacter) : BLANK
  return isIcon(encoded) ? encoded : BLANK
}

function encodeCharacter(character: string): string {
  return character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character)
}

function isEvmProvider(value: unknown): value is EvmProvider {
  return isFunction(field(value, 'request'))
}
/** Replaces invisible characters and look-alike letter forms, as for wallets of Wallet Standard. */
function cleanName(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARACTERS)
    .normalize('NFKC')
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/[\p{C}\p{DI}\s]+/gu, ' ')
    .trim()
}

/** Returns undefined for an invalid announcement. Any script may announce. @throws what a hostile object throws when read */
export function readAnnounced(detail: unknown): Announced | undefined {
  const info = field(detail, 'info')
  const [provider, rdns, icon] = [field(detail, 'provider'), field(info, 'rdns'), field(info, 'icon')]
  const name = cleanName(String(field(info, 'name')))
  if (typeof rdns !== 'string' || !/^[\w-]+(\.[\w-]+)+$/.test(rdns) || !name || !isEvmProvider(provider))
    return undefined
  const uuid = field(info, 'uuid') ?? provider
  return { rdns, uuid, name, icon: readIcon(icon), provider }
}
