/** What the page and the export window say over their port. The page never has the private half, nor what it opens. */

/** The page's first word: what the window said when they met, so that the window knows it is the same page. */
export interface Begin {
  readonly type: 'begin'
  readonly exchange: string
}
/** The window's answer: whom custody seals to. P-256, 65 bytes, hex; made for this one export. */
export interface Target {
  readonly type: 'target'
  readonly targetPublicKey: string
}
export interface Sealed {
  readonly type: 'sealed'
  readonly exportBundle: string
  readonly organizationId: string
  /** Whose key the user asked for: the window opens no other. */
  readonly address: string
  readonly chain: 'SOL' | 'EVM'
  /** Of words, which lead to the address by it (BIP-32, Solana's: all hardened); absent where a key is sealed. */
  readonly path?: string | undefined
}
/** The user is done, or the bundle was not for this window. */
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

/** Of the window's page, from the frame host's origin. */
export function exportPath(environmentId: string): string {
  return `/turnkey-export-v1/${encodeURIComponent(environmentId)}`
}
