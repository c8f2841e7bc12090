/** Maps errors of the wallet and of the client library to Keybay's error codes. */
import {
  type ErrorFacts,
  type ErrorSpec,
  featureMissing,
  field,
  isKeybayError,
  KeybayError,
  toKeybayError,
  userRejected,
} from '@keybay/kernel/spec'
import {
  mobileWalletAnswerInvalid,
  mobileWalletBlocked,
  mobileWalletLost,
  mobileWalletNotFound,
  mobileWalletNotSent,
  mobileWalletRequestInvalid,
} from '../errors.js'

const ID = 'mobile-wallet'
/** The wallet refuses to authorise the app, or does not know its token any more. */
export const AUTHORIZATION_FAILED = -1

/**
 * Numbers of the protocol, and codes of its client library.
 * https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html#common-error-responses
 */
const ERRORS: ReadonlyMap<unknown, ErrorSpec> = new Map<unknown, ErrorSpec>([
  [AUTHORIZATION_FAILED, userRejected],
  [-2, mobileWalletRequestInvalid],
  [-3, userRejected],
  [-4, mobileWalletNotSent],
  [-5, mobileWalletRequestInvalid],
  [-32_601, featureMissing],
  [-32_602, mobileWalletRequestInvalid],
  ['ERROR_ASSOCIATION_CANCELLED', userRejected],
  ['ERROR_WALLET_NOT_FOUND', mobileWalletNotFound],
  ['ERROR_LOOPBACK_ACCESS_BLOCKED', mobileWalletBlocked],
  ['ERROR_SESSION_CLOSED', mobileWalletLost],
  ['ERROR_SESSION_TIMEOUT', mobileWalletLost],
])

export function createError(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new KeybayError(spec, { connectorId: ID, ...facts })
}
/** Errors without a code come from the adapter when it cannot read the wallet's response. */
export function toError(thrown: unknown): KeybayError {
  if (isKeybayError(thrown)) return thrown
  const code = field(thrown, 'code')
  const spec = ERRORS.get(code) ?? (code === undefined && mobileWalletAnswerInvalid)
  return spec ? createError(spec, { cause: thrown }) : toKeybayError(thrown, ID)
}
