/** Errors of one connector. */
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'
import { evmChainUnknown, extensionBusy, extensionGone } from './errors.js'

/**
 * Handed over by the plugin: were they imported in what loads later, a bundler would tear them out of the page's first
 * chunk.
 */
export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  accountNotFound: ErrorSpec,
  featureMissing: ErrorSpec,
]
export interface Faults {
  of(spec: ErrorSpec, facts?: ErrorFacts): KeybayError
  /** What the wallet threw. */
  from(thrown: unknown): KeybayError
  /** Its own promise, with its own errors. */
  guard<T>(ask: () => T | Promise<T>): Promise<T>
  readonly accountNotFound: ErrorSpec
  readonly featureMissing: ErrorSpec
}

/** Numbers of EIP-1193, EIP-3085 and JSON-RPC, which Solana's wallets took over. */
const BY_NUMBER: ReadonlyMap<unknown, ErrorSpec> = new Map<unknown, ErrorSpec>([
  [4900, extensionGone],
  [4902, evmChainUnknown],
  [-32002, extensionBusy],
])
/** In Chromium's words: the content script has lost its extension. */
const GONE =
  /extension context invalidated|receiving end does not exist|message (port|channel) closed|disconnected port/i

export function createFaults(
  [KeybayErrorClass, toKeybayError, accountNotFound, featureMissing]: KernelErrors,
  connectorId: string,
): Faults {
  const of: Faults['of'] = (spec, facts) => new KeybayErrorClass(spec, { connectorId, ...facts })
  const from: Faults['from'] = thrown => {
    const { code, message, data } = Object(thrown)
    const number = BY_NUMBER.has(code) ? code : Object(Object(data).originalError).code
    const spec = BY_NUMBER.get(number) ?? (GONE.test(String(message)) ? extensionGone : undefined)
    return spec ? of(spec, { cause: thrown }) : toKeybayError(thrown, connectorId)
  }
  return {
    of,
    from,
    async guard(ask) {
      try {
        return await ask()
      } catch (thrown) {
        throw from(thrown)
      }
    },
    accountNotFound,
    featureMissing,
  }
}
