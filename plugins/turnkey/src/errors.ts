/** Error codes of this plugin. Those of the specification are in `@keybay/kernel/spec`. */
import { type ErrorFacts, type ErrorSpec, KeybayError } from '@keybay/kernel/spec'

export function turnkeyError(spec: ErrorSpec, facts?: ErrorFacts): KeybayError {
  return new KeybayError(spec, { connectorId: 'turnkey', ...facts })
}
/** S8.3: the code is wrong, expired, or belongs to another page or recovery. */
export const recoveryCodeInvalid: ErrorSpec<'recovery_code_invalid'> = {
  code: 'recovery_code_invalid',
  message: 'The code is invalid or expired.',
  walletCode: 5,
}
/** S8.3: the bundle comes from another service, or belongs to another window or account. */
export const exportBundleInvalid: ErrorSpec<'export_bundle_invalid'> = {
  code: 'export_bundle_invalid',
  message: 'The exported key could not be decrypted. Export it again',
}
/** S8.3: offline, or the service is down. The service may have completed the request: check the activities. */
export const custodyUnreachable: ErrorSpec<'custody_unreachable'> = {
  code: 'custody_unreachable',
  message: 'The key-custody service cannot be reached. Check the connection and try again',
}
/** The wait ended: a minute passed, or the user locked the wallet or signed out. */
export const custodyUnfinished: ErrorSpec<'custody_unfinished'> = {
  code: 'custody_unfinished',
  message: 'The key-custody service has not finished; the activity may still complete',
}
