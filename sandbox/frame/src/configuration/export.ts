/** Configuration of one environment. The custody window trusts the configuration, not the parameters of the page. */
import * as v from 'valibot'
import { appNames as appNamesSchema, url } from './frame.js'
import { type Theme, themeSchema } from './theme.js'

export interface ExportConfiguration {
  /** Environment of the page; its user's phrase and recipients are kept by it. */
  readonly environmentId?: string | undefined
  /**
   * True for the page that asks before signatures, which opens no export. Not read from the address: hosts serve a page
   * under every spelling of its path.
   */
  readonly asks?: boolean | undefined
  /** Origins of the pages that may embed the window. Never `null`. */
  readonly parentOrigins: readonly string[]
  /** Origin → name of the app there. */
  readonly appNames?: Readonly<Record<string, string>> | undefined
  /** Where the product API names the account, as `accountUrl` makes it. If absent, the window sends no request. */
  readonly accountUrl?: string | undefined
  /** Key that signs bundles: P-256, 65 bytes, hex. Default: Turnkey's. */
  readonly signerPublicKey?: string | undefined
  /** Solana JSON-RPC that simulates transactions, as for the frame. Only the page that asks before signatures has it. */
  readonly rpcUrl?: string | undefined
  readonly theme?: Theme | undefined
}

function isOrigin(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    /^https?:$/.test(new URL(value).protocol) &&
    new URL(value).origin === value
  )
}

/** Accepts several keys, separated by commas, while one replaces another. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^04[0-9a-f]{128}(,04[0-9a-f]{128})*$/.test(value)
}

/**
 * Validates a configuration.
 *
 * @throws TypeError that names the invalid field
 * @example readExportConfiguration(JSON.parse(document.querySelector('meta[name="keybay:turnkey-export"]').content))
 */
export function readExportConfiguration(value: unknown): ExportConfiguration {
  const { environmentId, asks, parentOrigins, signerPublicKey, theme, appNames, accountUrl, rpcUrl, ...others } =
    Object(value)
  const wrong = (field: string) => new TypeError(`The export window's configuration is wrong: ${field}`)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(unknown)
  if (environmentId !== undefined && typeof environmentId !== 'string') throw wrong('environmentId')
  if (asks !== undefined && typeof asks !== 'boolean') throw wrong('asks')
  if (!Array.isArray(parentOrigins) || parentOrigins.length === 0 || !parentOrigins.every(isOrigin))
    throw wrong('parentOrigins')
  if (signerPublicKey !== undefined && !isKey(signerPublicKey)) throw wrong('signerPublicKey')
  if (theme !== undefined && !v.is(themeSchema, theme)) throw wrong('theme')
  if (appNames !== undefined && !v.is(appNamesSchema, appNames)) throw wrong('appNames')
  if (accountUrl !== undefined && !v.is(url, accountUrl)) throw wrong('accountUrl')
  if (rpcUrl !== undefined && !v.is(url, rpcUrl)) throw wrong('rpcUrl')
  return { environmentId, asks, parentOrigins, signerPublicKey, theme, appNames, accountUrl, rpcUrl }
}
