/** Errors of this plugin's own. Literals: calling the kernel's `errorSpec` here would pull the kernel into the lazy chunk. */
import type { ErrorSpec } from '@keybay/kernel'

/** The wallet answered something that does not prove its address: another text, no signature, no address. Not sent. */
export const walletProofInvalid: ErrorSpec<'wallet_proof_invalid'> = {
  code: 'wallet_proof_invalid',
  message: 'The wallet signed something else than it was asked to',
  walletCode: 6,
}
