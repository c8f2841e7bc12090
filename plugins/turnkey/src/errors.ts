/** The plugin's own error codes. Those of the specification are in `@keybay/kernel/spec`. */
import { type ErrorFacts, type ErrorSpec, KeybayError } from '@keybay/kernel/spec'

export function turnkeyError(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new KeybayError(spec, { connectorId: 'turnkey', ...facts })
}

/** S8.3: wrong, expired, for another page, or of another recovery. */
export const recoveryCodeInvalid: ErrorSpec<'recovery_code_invalid'> = {
  code: 'recovery_code_invalid',
  message: 'The code is invalid or expired.',
  walletCode: 5,
}

/** S8.3: sealed by another service, for another window, or of another account. */
export const exportBundleInvalid: ErrorSpec<'export_bundle_invalid'> = {
  code: 'export_bundle_invalid',
  message: 'The exported key could not be decrypted. Export it again',
}

/** S8.3: offline, or the service is down. It may have completed the request: list the activities. */
export const custodyUnreachable: ErrorSpec<'custody_unreachable'> = {
  code: 'custody_unreachable',
  message: 'The key-custody service cannot be reached. Check the connection and try again',
}

/** The wait ended: a minute passed, or the user locked the wallet or signed out. */
export const custodyUnfinished: ErrorSpec<'custody_unfinished'> = {
  code: 'custody_unfinished',
  message: 'The key-custody service has not finished; the activity may still complete',
}
