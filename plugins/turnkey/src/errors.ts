/** What this plugin raises besides the errors of the specification (`@keybay/kernel/spec`). */
import type { ErrorSpec } from '@keybay/kernel'

/** S8.3: wrong, late, for another page, or of another recovery. */
export const recoveryCodeInvalid: ErrorSpec<'recovery_code_invalid'> = {
  code: 'recovery_code_invalid',
  message: 'The code is invalid or expired.',
  walletCode: 5,
}

/** S8.3: sealed by another service, to another window, or of another account than was asked for. */
export const exportBundleInvalid: ErrorSpec<'export_bundle_invalid'> = {
  code: 'export_bundle_invalid',
  message: 'The exported key could not be opened',
}

/** S8.3: offline, or the service is down. Whether it did what it was asked, nobody knows: look at the activities. */
export const custodyUnreachable: ErrorSpec<'custody_unreachable'> = {
  code: 'custody_unreachable',
  message: 'The key-custody service does not answer',
}

/** Nobody waits for it any longer: a minute has passed, or the user locked the wallet or signed out. */
export const custodyUnfinished: ErrorSpec<'custody_unfinished'> = {
  code: 'custody_unfinished',
  message: 'The key-custody service has not finished; the activity may still complete',
}
