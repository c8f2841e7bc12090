/** Grants of the wallet's own window: transfers of SOL without a question, up to an amount a day. */
import { ComputeBudgetProgram, SystemProgram } from '@solana/web3.js'
import { APP } from '../world.js'
import { type Answer, type Asked, ask, sha256, type Target } from './request.js'
import { asDevice, changeSet, type Wallet } from './wallet.js'

/** @param dailyLimit lamports */
export function grantOf(dailyLimit: bigint | number, origin = APP) {
  return {
    dailyLimit: String(dailyLimit),
    programs: [
      { programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] },
      { programId: ComputeBudgetProgram.programId.toBase58() },
    ],
    messages: false,
    otherwise: 'ask',
    origin,
  }
}

/** Sets a grant that the page asked for, with the user's consent. */
export function grant(target: Target, wallet: Wallet, dailyLimit: bigint | number): Promise<Answer> {
  return changeSet(target, wallet, wallet.setId, 'policy', { policy: grantOf(dailyLimit) }, true)
}

/** Sets a policy as the wallet's own window does beside a transaction, which is all that the page's session signed. */
export function grantBeside(
  target: Target,
  wallet: Wallet,
  transaction: Uint8Array,
  policy: object,
  more: Partial<Asked> = {},
): Promise<Answer> {
  const operation = asDevice(wallet, 'signTransaction', { hash: sha256(transaction), consent: true, ...more })
  return ask(target, wallet.user, `/wallets/${wallet.walletId}/sets/${wallet.setId}/policy`, { policy }, operation)
}
