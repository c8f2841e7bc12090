/** What this plugin raises besides the errors of the specification (`@keybay/kernel/spec`). */
import type { ErrorSpec } from '@keybay/kernel'

/** S8.3: wrong, late, for another page, or of another recovery. */
export const recoveryCodeInvalid: ErrorSpec<'recovery_code_invalid'> = {
  code: 'recovery_code_invalid',
  message: 'The code is invalid or expired.',
  walletCode: 5,
}
