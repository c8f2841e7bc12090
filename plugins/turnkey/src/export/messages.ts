/** Messages between the page and the export window on their port. The page never has the private key or the decrypted content. */

/** First message of the page: repeats the window's value from their handshake, which proves that it is the same page. */
export interface Begin {
  readonly type: 'begin'
  readonly exchange: string
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
/** Sent when the user is done, or the bundle was not for this window. */
export interface Over {
  readonly type: 'over'
  readonly opened: boolean
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function has(data: unknown, type: string, ...names: readonly string[]): boolean {
  return Reflect.get(Object(data), 'type') === type && names.every(name => isText(Reflect.get(Object(data), name)))
}

function isPath(path: unknown, chain: unknown): boolean {
  return path === undefined || (chain === 'SOL' && isText(path) && /^m(\/\d{1,9}'){1,10}$/.test(path))
}

export function isBegin(data: unknown): data is Begin {
  return has(data, 'begin', 'exchange')
}

export function isTarget(data: unknown): data is Target {
  return has(data, 'target', 'targetPublicKey')
}

export function isSealed(data: unknown): data is Sealed {
  return (
    has(data, 'sealed', 'exportBundle', 'organizationId', 'address', 'chain') &&
    ['SOL', 'EVM'].includes(Reflect.get(Object(data), 'chain')) &&
    isPath(Reflect.get(Object(data), 'path'), Reflect.get(Object(data), 'chain'))
  )
}

export function isOver(data: unknown): data is Over {
  return has(data, 'over') && typeof Reflect.get(Object(data), 'opened') === 'boolean'
}

/** Returns the path of the window's page on the frame host. */
export function exportPath(environmentId: string): string {
  return `/turnkey-export-v1/${encodeURIComponent(environmentId)}`
}
