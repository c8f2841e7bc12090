/** Signs for accounts that need the user's consent for each signature. */
import { KeybayError } from '@keybay/kernel/spec'
import type { KeyShare } from '@keybay/waas/mpc'
import { consentRequired } from '@keybay/waas/protocol'
import { type Child, paragraph } from '../screen/dom.js'
import { type Action, actionCards, agree, FIRST_TIME, type Line } from '../screen/questions.js'
import type { KeptSet } from '../store/kept.js'
import { type Job, provedBy } from './job.js'
import { byCurrentShare } from './settle.js'
import { keptWallet, readyShare, readyToSign } from './share.js'

export interface Signing<T> {
  readonly address: string
  readonly password: string | undefined
  readonly title: string
  readonly how: string
  readonly actions: readonly Action[]
  /** Network on which the actions send. Default: they send nothing. */
  readonly network?: string | undefined
  readonly warnings?: readonly Child[] | undefined
  /** Makes one attempt, with fresh values. Must not erase the share, which belongs to the caller. */
  readonly attempt: (job: Job, kept: KeptSet, share: KeyShare) => Promise<T>
}

/**
 * Adds a line for each recipient that is new to the account in this browser. `keep` makes those known that the account pays:
 * what costs it nothing must make no address known.
 */
async function markNew({ frame, user }: Job, { address, actions, network }: Signing<unknown>) {
  if (network === undefined) return { actions, keep: async () => {} }
  const sender = [user, address, network] as const
  const normalize = (text: string) => (text.startsWith('0x') ? text.toLowerCase() : text)
  const lines = actions.flatMap(action => action.lines)
  const recipients = [...new Set(lines.flatMap(({ recipient, value }) => (recipient ? normalize(value) : [])))]
  const paid = lines.flatMap(({ recipient, value }) => (recipient === 'paid' ? normalize(value) : []))
  const areKnown = await Promise.all(
    recipients.map(async to => to === normalize(address) || (await frame.store.isRecipient(sender, to))),
  )
  const isNew = ({ recipient, value }: Line) => recipient && !areKnown[recipients.indexOf(normalize(value))]
  return {
    actions: actions.map(action => ({
      ...action,
      lines: action.lines.flatMap(line => (isNew(line) ? [line, FIRST_TIME] : line)),
    })),
    // A signature is returned, even if its recipients cannot be kept.
    keep: () => frame.store.keepRecipients(sender, paid, frame.clock.now()).catch(() => undefined),
  }
}

/**
 * Asks the user in the visible frame, then signs.
 * @throws KeybayError `frame_share_elsewhere` before the user is asked; `consent_required` in a hidden frame
 */
export async function signByConsent<T>(initialJob: Job, signing: Signing<T>): Promise<T> {
  const { address, password, title, how, warnings = [], attempt } = signing
  const { frame, context } = initialJob
  const { signal } = context
  await keptWallet(initialJob, address)
  // No policy can replace the user's consent.
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const factor = await initialJob.factor()
  const { actions, keep } = await markNew(initialJob, signing)
  const content = [...warnings, ...actionCards(actions), paragraph(how, 'note')]
  const job = provedBy(
    initialJob,
    await agree(frame.screen, { title, content, action: 'Sign' }, { address, factor, signal }),
  )
  frame.screen.busy('Signing…')
  const { stored, password: known } = await readyToSign(job, address, password)
  const signature = await byCurrentShare(job, stored, now =>
    frame.locks.reading(
      stored.walletId,
      async () => attempt(job, now, (await readyShare(job, now, known)).ready.share),
      signal,
    ),
  )
  await keep()
  return signature
}
