/** Signs for accounts that need the consent of the user for each signature. */
import { KeybayError } from '@keybay/kernel/spec'
import type { KeyShare } from '@keybay/waas/mpc'
import { consentRequired } from '@keybay/waas/protocol'
import { agreeToContent, type Content } from '../screen/content.js'
import type { KeptSet } from '../store/kept.js'
import { type Job, provedBy } from './job.js'
import { byCurrentShare } from './settle.js'
import { keptWallet, readyShare } from './share.js'

export interface Signing<T> {
  readonly address: string
  readonly password: string | undefined
  readonly question: Content
  /** One attempt, with what is fresh for each. The share is not its own: it stays as it is. */
  readonly attempt: (job: Job, kept: KeptSet, share: KeyShare) => Promise<T>
}

/**
 * The user agrees in the visible frame; then it is signed.
 *
 * @throws KeybayError `frame_share_elsewhere` before the user is asked; `consent_required` in a hidden frame
 */
export async function signByConsent<T>(asked: Job, { address, password, question, attempt }: Signing<T>): Promise<T> {
  const { frame, context } = asked
  const { signal } = context
  await keptWallet(asked, address)
  // No rule can stand for the user.
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const factor = await asked.factor()
  const job = provedBy(asked, await agreeToContent(frame.screen, question, { address, factor, signal }))
  frame.screen.busy('Signing…')
  try {
    // Read again: the set may have been reshared while the user decided.
    const kept = await keptWallet(job, address)
    // What waits for the user waits before the lock, and not in it.
    const { password: known } = await readyShare(job, kept, password)
    return await byCurrentShare(job, kept, now =>
      frame.locks.reading(
        kept.walletId,
        async () => attempt(job, now, (await readyShare(job, now, known)).ready.share),
        signal,
      ),
    )
  } finally {
    frame.screen.clear()
  }
}
