/** The share of a wallet that this browser holds. */
import { KeybayError } from '@keybay/kernel'
import { shareElsewhere } from '../errors.js'
import { tryPassword } from '../password/limit.js'
import { askPassword } from '../screen/questions.js'
import type { ReadyShare } from '../sign/signers.js'
import { openShare } from '../store/keep.js'
import type { KeptSet } from '../store/kept.js'
import type { Job } from './job.js'

/**
 * @param kind only the primary set can be refreshed and reshared
 * @throws KeybayError `frame_share_elsewhere`
 */
export const keptWallet = async ({ frame, user }: Job, address: string, kind?: KeptSet['kind']): Promise<KeptSet> => {
  const all = (await frame.store.list(user)).filter(set => set.address === address && !set.creation)
  const [kept] = all
    .filter(set => kind === undefined || set.kind === kind)
    .toSorted((a, b) => b.createdAt - a.createdAt)
  if (!kept) throw new KeybayError(shareElsewhere)
  return kept
}

/**
 * The share in memory. A password that the page did not give is asked for in the visible frame, and stays there.
 *
 * @throws KeybayError `consent_required` in a hidden frame; `frame_password_wrong`, `frame_password_limited`
 */
export const readyShare = async (
  { frame, context: { signal } }: Job,
  kept: KeptSet,
  given: string | undefined,
): Promise<{ readonly ready: ReadyShare; readonly password: string | undefined }> => {
  const unlock = (password: string | undefined) => openShare(frame, kept, kept.share, password)
  const open = (password: string | undefined) =>
    frame.signers.ready(kept, password, () =>
      password === undefined ? unlock(password) : tryPassword(frame, kept, () => unlock(password)),
    )
  if (!kept.share.sealed.password) return { ready: await open(undefined), password: undefined }
  if (given !== undefined) return { ready: await open(given), password: given }
  const password = await askPassword(frame.screen, { address: kept.address, signal, check: open })
  return { ready: await open(password), password }
}
