/** Messages between the page and the export window on their port. The page never has the private key or the decrypted content. */
import { field } from '@keybay/kernel/spec'

/** First message of the page: repeats the window's value from their handshake, which proves that it is the same page. */
export interface Begin {
  readonly type: 'begin'
  readonly exchange: string
  /** Access token, by which the product API names the account. The window keeps it for nothing else. */
  readonly token?: string | undefined
}
/** Response of the window: public key to encrypt for. P-256, 65 bytes, hex; created for this export only. */
export interface Target {
  readonly type: 'target'
  readonly targetPublicKey: string
}
export interface Sealed {
  readonly type: 'sealed'
  readonly exportBundle: string
  readonly organizationId: string
  /** Address that the user requested: the window decrypts no other. */
  readonly address: string
  readonly chain: 'SOL' | 'EVM'
  /** Path that derives the address from the recovery phrase (BIP-32, Solana's: all hardened); absent for a single key. */
  readonly path?: string | undefined
}
/** Sent with each change of the content's height. */
export interface Fit {
  readonly type: 'fit'
  /** In CSS pixels. */
  readonly height: number
}
/** Sent when the user is done, or the bundle was not for this window. */
export interface Over {
  readonly type: 'over'
  readonly opened: boolean
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

function hasTexts(data: unknown, type: string, ...names: readonly string[]): boolean {
  return field(data, 'type') === type && names.every(name => typeof field(data, name) === 'string')
}

export function isBegin(data: unknown): data is Begin {
  const token = field(data, 'token')
  return hasTexts(data, 'begin', 'exchange') && (token === undefined || (typeof token === 'string' && JWT.test(token)))
}

export function isTarget(data: unknown): data is Target {
  return hasTexts(data, 'target', 'targetPublicKey')
}

export function isSealed(data: unknown): data is Sealed {
  const [chain, path] = [field(data, 'chain'), field(data, 'path')]
  const isPath = typeof path === 'string' && chain === 'SOL' && /^m(\/\d{1,9}'){1,10}$/.test(path)
  return (
    hasTexts(data, 'sealed', 'exportBundle', 'organizationId', 'address') &&
    (chain === 'SOL' || chain === 'EVM') &&
    (path === undefined || isPath)
  )
}

export function isFit(data: unknown): data is Fit {
  const height = field(data, 'height')
  return hasTexts(data, 'fit') && typeof height === 'number' && Number.isSafeInteger(height) && height >= 0
}

export function isOver(data: unknown): data is Over {
  return hasTexts(data, 'over') && typeof field(data, 'opened') === 'boolean'
}
/** Returns the path of the window's page on the frame host. */
export function exportPath(environmentId: string): string {
  return `/turnkey-export-v1/${encodeURIComponent(environmentId)}`
}
