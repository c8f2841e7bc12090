/** Errors of one connector. */

import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, KeybayError } from '@keybay/kernel'
import { deepLinkWalletUnknown, WALLET_ERRORS } from './errors.js'

/**
 * Handed over by the plugin: were they imported in what loads later, a bundler would tear them out of the page's first
 * chunk.
 */
export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  redact: typeof kernel.redact,
  userRejected: ErrorSpec,
  redirectUnexpected: ErrorSpec,
  accountNotFound: ErrorSpec,
  configInvalid: ErrorSpec,
  aborted: ErrorSpec,
  disposed: ErrorSpec,
]
export interface Faults {
  of(spec: ErrorSpec, facts?: ErrorFacts): KeybayError
  /** What the wallet says in `errorCode` and `errorMessage`. */
  ofWallet(errorCode: string, errorMessage: string): KeybayError
  /** What another tab sent, an error once more. */
  revive(sent: unknown): KeybayError
}

/** EIP-1193's number, which Phantom took over. */
const REJECTED = '4001'
/** Of what the wallet says in its own words. */
const LONGEST_DETAIL = 300
const LONGEST_CODE = 16

function isSpec(value: unknown): value is ErrorSpec {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

export function createFaults(
  [KeybayErrorClass, toKeybayError, redact, userRejected]: KernelErrors,
  connectorId: string,
): Faults {
  const of: Faults['of'] = (spec, facts) => new KeybayErrorClass(spec, { connectorId, ...facts })
  return {
    of,
    ofWallet(errorCode, errorMessage) {
      if (errorCode === REJECTED) return of(userRejected)
      return of(WALLET_ERRORS.get(errorCode) ?? deepLinkWalletUnknown, {
        detail: String(redact(errorMessage)).slice(0, LONGEST_DETAIL),
        details: { errorCode: errorCode.slice(0, LONGEST_CODE) },
      })
    },
    revive: sent => (isSpec(sent) ? of(sent) : toKeybayError(sent, connectorId)),
  }
}
