/**
 * The explorer reads more of the chain than a wallet app needs, so it calls the node directly over JSON-RPC.
 * Everything else in the app goes through `keybay.solana`.
 */

/** Thrown when the node returned an error or did not respond. The message is shown to the user. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  /** The node refuses these parameters: it will refuse them again. */
  readonly isRefused: boolean
  constructor(message: string, options: ErrorOptions & { readonly isRefused?: boolean } = {}) {
    super(message, options)
    this.isRefused = options.isRefused ?? false
  }
}
/** JSON-RPC's code for invalid parameters. */
const INVALID_PARAMS = -32602
/** Time to wait for a response, in ms. */
const TIMEOUT_MS = 10_000

/** @throws ChainError; or the signal's reason when it aborts */
export async function callChain(url: string, method: string, params: readonly unknown[], signal: AbortSignal) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  let answer: unknown
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    answer = await response.json()
  } catch (error) {
    signal.throwIfAborted()
    throw new ChainError('The chain does not answer.', { cause: error })
  }
  const message = text(at(answer, 'error', 'message'))
  const code = number(at(answer, 'error', 'code'))
  if (message !== undefined) throw new ChainError(`${message} (${code})`, { isRefused: code === INVALID_PARAMS })
  return at(answer, 'result')
}

/** Follows own properties only. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  )
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function texts(value: unknown): readonly string[] {
  return list(value).filter(entry => typeof entry === 'string')
}

/** Converts the seconds of a node to ms. */
export function toMs(value: unknown): number | undefined {
  return typeof value === 'number' ? value * 1000 : undefined
}
