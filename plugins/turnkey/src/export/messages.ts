/** Messages between the page and the custody window on their port. The page never has the private key or the decrypted content. */
import { field } from '@keybay/kernel/spec'

/** First message of the page: repeats the window's value from their handshake, which proves that it is the same page. */
export interface Begin {
  readonly type: 'begin'
  readonly exchange: string
  /** Access token, by which the product API names the account. The window keeps it for nothing else. */
  readonly token?: string | undefined
  /** Present: the window asks the user about this signature. Absent: it opens an export. */
  readonly sign?: ToSign | undefined
}
/** Content that the user is asked to sign. The page signs it at custody once the user has agreed. */
export interface ToSign {
  readonly kind: 'message' | 'transaction' | 'typedData'
  /** Address that signs. */
  readonly address: string
  /** One signature each. Typed data is its JSON text in UTF-8. */
  readonly contents: readonly Uint8Array[]
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

/** What an address looks like that signs each kind. The window shows it, so it must not hold a text of the page. */
const ADDRESSES = {
  message: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  transaction: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  typedData: /^0x[0-9a-f]{40}$/i,
} as const
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

function hasTexts(data: unknown, type: string, ...names: readonly string[]): boolean {
  return field(data, 'type') === type && names.every(name => typeof field(data, name) === 'string')
}

function isToSign(data: unknown): data is ToSign {
  const [kind, contents, address] = [field(data, 'kind'), field(data, 'contents'), field(data, 'address')]
  return (
    (kind === 'message' || kind === 'transaction' || kind === 'typedData') &&
    typeof address === 'string' &&
    ADDRESSES[kind].test(address) &&
    Array.isArray(contents) &&
    contents.length > 0 &&
    contents.every(content => content instanceof Uint8Array)
  )
}

export function isBegin(data: unknown): data is Begin {
  const [token, sign] = [field(data, 'token'), field(data, 'sign')]
  return (
    hasTexts(data, 'begin', 'exchange') &&
    (token === undefined || (typeof token === 'string' && JWT.test(token))) &&
    (sign === undefined || isToSign(sign))
  )
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
/** Returns the path of the page on the frame host that shows exports. It reaches no node. */
export function exportPath(environmentId: string): string {
  return `/turnkey-export-v1/${encodeURIComponent(environmentId)}`
}
/** Returns the path of the page on the frame host that asks before signatures. It shows no export. */
export function signPath(environmentId: string): string {
  return `/turnkey-sign-v1/${encodeURIComponent(environmentId)}`
}
