/** Errors of the connector. */
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'
import {
  mobileWalletBlocked,
  mobileWalletLost,
  mobileWalletNotFound,
  mobileWalletNotSent,
  mobileWalletRequestInvalid,
} from './errors.js'

/**
 * Handed over by the plugin: were they imported in what loads later, a bundler would tear them out of the page's first
 * chunk.
 */
export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  userRejected: ErrorSpec,
  accountNotFound: ErrorSpec,
  featureMissing: ErrorSpec,
  configInvalid: ErrorSpec,
  connectTimeout: ErrorSpec,
]
export interface Faults {
  of(spec: ErrorSpec, facts?: ErrorFacts): KeybayError
  /** What the wallet, or the way to it, threw. */
  from(thrown: unknown): KeybayError
}
const ID = 'mobile-wallet'

/**
 * Numbers of the protocol, and names of its client library.
 * https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html#common-error-responses
 */
function specs(userRejected: ErrorSpec): ReadonlyMap<unknown, ErrorSpec> {
  return new Map<unknown, ErrorSpec>([
    [-1, userRejected],
    [-2, mobileWalletRequestInvalid],
    [-3, userRejected],
    [-4, mobileWalletNotSent],
    [-5, mobileWalletRequestInvalid],
    [-32_602, mobileWalletRequestInvalid],
    ['ERROR_WALLET_NOT_FOUND', mobileWalletNotFound],
    ['ERROR_LOOPBACK_ACCESS_BLOCKED', mobileWalletBlocked],
    ['ERROR_SESSION_CLOSED', mobileWalletLost],
    ['ERROR_SESSION_TIMEOUT', mobileWalletLost],
  ])
}

export function createFaults([KeybayErrorClass, toKeybayError, userRejected]: KernelErrors): Faults {
  const known = specs(userRejected)
  const of: Faults['of'] = (spec, facts) => new KeybayErrorClass(spec, { connectorId: ID, ...facts })
  return {
    of,
    from(thrown) {
      const spec = known.get(Object(thrown).code)
      return spec ? of(spec, { cause: thrown }) : toKeybayError(thrown, ID)
    },
  }
}
