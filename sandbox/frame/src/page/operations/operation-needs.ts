/** Needs of each wallet operation: shares, a second factor, and a policy that allows it. */
import type { MfaAction, WalletOperation } from '@keybay/kernel/spec'
import type { WaasWallet, WalletForOperation } from '@keybay/waas/protocol'

interface Requirement {
  /**
   * - `none`: public data only
   * - `threshold`: a share that signs with the relays: of the primary set, or of an additional one
   * - `primary`: the device share of the primary set, which alone can be refreshed and reshared
   * - `all`: each share of the user, that is the device share of the primary set and the backup's
   */
  readonly shares: 'none' | 'threshold' | 'primary' | 'all'
  readonly action?: MfaAction
}
type Need = WalletForOperation['needs'][number]

const REQUIREMENTS: { readonly [Operation in WalletOperation]: Requirement } = {
  NO_OPERATION: { shares: 'none' },
  REACH_THRESHOLD: { shares: 'threshold' },
  REACH_ALL_PARTIES: { shares: 'all' },
  SIGN_MESSAGE: { shares: 'threshold', action: 'wallet.waas.sign' },
  SIGN_TRANSACTION: { shares: 'threshold', action: 'wallet.waas.sign' },
  REFRESH: { shares: 'primary', action: 'wallet.waas.refresh' },
  RESHARE: { shares: 'primary', action: 'wallet.waas.reshare' },
  EXPORT_PRIVATE_KEY: { shares: 'threshold', action: 'wallet.waas.export' },
}

export function requirementOf(operation: WalletOperation = 'NO_OPERATION'): Requirement {
  return REQUIREMENTS[operation]
}

export interface Given {
  /** Present: the page gave a password or an MFA token. */
  readonly password?: string | undefined
  readonly mfaToken?: string | undefined
  /** Actions that require a second factor of this user. */
  readonly demands: readonly MfaAction[]
  /** ms since epoch */
  readonly now: number
}

function isRefused({ policy }: WaasWallet, operation: WalletOperation | undefined, now: number): boolean {
  if (!policy || policy.otherwise === 'ask') return false
  const isExpired = policy.expiresAt !== undefined && policy.expiresAt <= now
  return (
    (operation === 'SIGN_TRANSACTION' && isExpired) || (operation === 'SIGN_MESSAGE' && (isExpired || !policy.messages))
  )
}

/** Returns what an operation still needs in this browser. */
export function needsOf(wallet: WaasWallet, operation: WalletOperation | undefined, given: Given): readonly Need[] {
  const { shares, action } = requirementOf(operation)
  if (shares === 'none') return []
  const hasPrimary = wallet.sets.some(({ kind, here }) => kind === 'primary' && here)
  const isHere = shares === 'threshold' ? wallet.here : hasPrimary
  // No browser keeps the backup's share.
  const takesBackup = shares === 'all' && wallet.thresholdSignatureScheme !== 'TWO_OF_TWO'
  return [
    ...(isHere && wallet.passwordEncrypted && given.password === undefined ? ['password' as const] : []),
    ...(!isHere || takesBackup ? ['backup' as const] : []),
    ...(action && given.demands.includes(action) && given.mfaToken === undefined ? ['mfa' as const] : []),
    ...(isRefused(wallet, operation, given.now) ? ['policy' as const] : []),
  ]
}
