/** Creates a user's first wallet: at sign-in, and when the user connects without one. The relay decides which is first. */
import { type ThresholdSignatureScheme, toKeybayError } from '@keybay/kernel/spec'
import type { BackupTarget } from '../protocol/wallet.js'
import type { PerformOptions } from './operations.js'
import { getEnabledSettings, type UserWallets } from './user-wallets.js'

/** Backup with the fewest steps for the user: the frame asks for a passkey, or shows a recovery code. */
export const ONE_TOUCH: BackupTarget = { provider: 'dynamic', passkey: true }

/** The key of every creation of a first wallet, so that each continues one that was interrupted in this browser. */
const FIRST_KEY = 'first-wallet'

/**
 * The relay takes only wallets with a backup, or an interrupted creation has one and may wait for it: continue in the
 * wallet's window.
 */
const NEEDS_WINDOW = /^(replica_required|consent_required|idempotency_key_reused)$/

/** The relay has dropped an interrupted creation. The frame begins another one the next time. */
const FORGOTTEN = 'ceremony_not_found'

/**
 * Creates a wallet for a user who has none. It begins without a backup and without the wallet's window, unless the
 * environment's scheme or the relay demands a backup: then the window makes one first, in one step.
 * @throws KeybayError `embedded_wallets_disabled`, `user_rejected`, …
 */
export async function createFirstWallet(user: UserWallets, how: PerformOptions): Promise<void> {
  const { thresholdSignatureScheme } = await getEnabledSettings(user.kernel, how)
  const create = async (scheme: ThresholdSignatureScheme, options: PerformOptions, backup?: BackupTarget) => {
    const facts = {
      chainName: 'SOL',
      thresholdSignatureScheme: scheme,
      first: true,
      idempotencyKey: FIRST_KEY,
      backup,
    } as const
    user.update(await user.perform('createWalletAccount', facts, options))
  }
  const createInWindow = () => create(thresholdSignatureScheme, { ...how, visible: true }, ONE_TOUCH)
  const createAtOnce = () =>
    create('TWO_OF_TWO', { ...how, silent: true }).catch((error: unknown) => {
      if (!NEEDS_WINDOW.test(toKeybayError(error).code)) throw error
      return createInWindow()
    })
  const make = () => (thresholdSignatureScheme === 'THREE_OF_FIVE' ? createInWindow() : createAtOnce())
  try {
    await make().catch((error: unknown) => {
      if (toKeybayError(error).code !== FORGOTTEN) throw error
      return make()
    })
  } catch (error) {
    if (toKeybayError(error).code !== 'wallet_exists') throw error
    // Another tab or device was first.
    await user.relist(how)
  }
}
