/** Signs for accounts that need the user's consent for each signature. */
import { KeybayError } from '@keybay/kernel/spec'
import type { KeyShare } from '@keybay/waas/mpc'
import { consentRequired } from '@keybay/waas/protocol'
import { type Child, paragraph } from '../screen/dom.js'
import { type Action, actionCards, agree } from '../screen/questions.js'
import type { KeptSet } from '../store/kept.js'
import { type Job, provedBy } from './job.js'
import { byCurrentShare } from './settle.js'
import { keptWallet, readyShare } from './share.js'

export interface Signing<T> {
  readonly address: string
  readonly password: string | undefined
  readonly title: string
  readonly how: string
  readonly actions: readonly Action[]
  readonly warnings?: readonly Child[] | undefined
  /** Makes one attempt, with fresh values. Must not erase the share, which belongs to the caller. */
  readonly attempt: (job: Job, kept: KeptSet, share: KeyShare) => Promise<T>
}

/**
 * Asks the user in the visible frame, then signs.
 * @throws KeybayError `frame_share_elsewhere` before the user is asked; `consent_required` in a hidden frame
 */
export async function signByConsent<T>(initialJob: Job, signing: Signing<T>): Promise<T> {
  const { address, password, title, how, actions, warnings = [], attempt } = signing
  const { frame, context } = initialJob
  const { signal } = context
  await keptWallet(initialJob, address)
  // No policy can replace the user's consent.
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const factor = await initialJob.factor()
  const content = [...warnings, ...actionCards(actions), paragraph(how, 'note')]
  const job = provedBy(
    initialJob,
    await agree(frame.screen, { title, content, action: 'Sign' }, { address, factor, signal }),
  )
  frame.screen.busy('Signing…')
  // Read the set again, because it may have been reshared while the user decided.
  const stored = await keptWallet(job, address)
  // Prompt the user before taking the lock, so that the lock is not held while the user types.
  const { password: known } = await readyShare(job, stored, password)
  return byCurrentShare(job, stored, now =>
    frame.locks.reading(
      stored.walletId,
      async () => attempt(job, now, (await readyShare(job, now, known)).ready.share),
      signal,
    ),
  )
}
