/**
 * Sets, checks and changes the wallet's password, which additionally encrypts this browser's share (S6.2). The password
 * never reaches the relay or the API. The backup has a password of its own.
 */
import { KeybayError } from '@keybay/kernel/spec'
import { eraseShare } from '@keybay/waas/mpc'
import { consentRequired, type PayloadOf, type SetPassword, type UpdatePassword } from '@keybay/waas/protocol'
import { openWindow } from '../core/chain-kit.js'
import type { Job } from '../core/job.js'
import { keptWallet } from '../core/share.js'
import { frameError } from '../errors/errors.js'
import { tryPassword } from '../password/limit.js'
import { LEAST_CHARACTERS } from '../screen/least-characters.js'
import type { PasswordChange } from '../screen/passwords.js'
import { agreeTo } from '../screen/questions.js'
import { openShare, sealShare } from '../store/keep.js'
import type { KeptSet, KeptShare } from '../store/kept.js'

function isProtected({ share }: KeptSet): boolean {
  return share.sealed.password !== undefined
}

/** Re-encrypts one share from one password to another. */
async function rewrap({ frame }: Job, stored: KeptSet, share: KeptShare, { existing, next }: PasswordChange) {
  const opened = await openShare(frame, stored, share, share.sealed.password ? existing : undefined)
  try {
    return await sealShare(frame, stored, opened, next)
  } finally {
    eraseShare(opened)
  }
}

async function rewrapSet(job: Job, stored: KeptSet, change: PasswordChange): Promise<KeptSet> {
  const { pending, aside } = stored
  const share = await rewrap(job, stored, stored.share, change)
  return {
    ...stored,
    share,
    ...(pending && { pending: { ...pending, share: await rewrap(job, stored, pending.share, change) } }),
    // Shares kept aside may be under an older password, which they keep.
    ...(aside && {
      aside: await Promise.all(aside.map(set => unlessUnopened(set, () => rewrapSet(job, set, change)))),
    }),
  }
}

const UNOPENED: readonly string[] = ['frame_password_wrong', 'frame_password_missing', 'frame_share_unreadable']

async function unlessUnopened<T>(before: T, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof KeybayError && UNOPENED.includes(error.code)) return before
    throw error
  }
}

/**
 * Changes the password of all of this browser's sets of the wallet, or of none.
 * @throws KeybayError `frame_password_wrong`, `frame_password_limited`, `frame_password_short`
 */
async function changePassword(job: Job, address: string, change: PasswordChange): Promise<void> {
  const { frame, user } = job
  if (change.next.length < LEAST_CHARACTERS) throw frameError('frame_password_short')
  const { walletId } = await keptWallet(job, address)
  await frame.locks.changing(walletId, async () => {
    const sets = (await frame.store.list(user)).filter(set => set.walletId === walletId && !set.creation)
    const changed: KeptSet[] = []
    for (const set of sets) {
      const rewrapped = () => rewrapSet(job, set, change)
      if (set.retired) changed.push(await unlessUnopened(set, rewrapped))
      else changed.push(await (isProtected(set) ? tryPassword(frame, set, rewrapped) : rewrapped()))
    }
    await frame.store.putAll(changed)
    for (const { setId } of sets) frame.signers.forget(setId)
  })
}

/**
 * Sets a password. The user agrees in the visible frame, because a page that sets one unseen could lock the user out.
 * @throws KeybayError `consent_required`; `frame_password_set`, `frame_password_short`, `frame_share_elsewhere`
 */
export async function setPassword(job: Job, payload: SetPassword) {
  const { frame, context } = job
  const { accountAddress: address, newPassword } = payload
  const { signal } = context
  if (isProtected(await keptWallet(job, address))) throw frameError('frame_password_set')
  if (newPassword !== undefined && newPassword.length < LEAST_CHARACTERS) throw frameError('frame_password_short')
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  if (newPassword === undefined) {
    const change = (entered: PasswordChange) => changePassword(job, address, entered)
    await (await openWindow(frame)).askNewPassword(frame.screen, { address, hasPassword: false, change, signal })
  } else {
    const sentence = 'The page chose the password. This browser will ask for it, and we can’t reset it.'
    await agreeTo(
      frame.screen,
      { title: 'Use this wallet password?', sentences: [sentence], action: 'Set it' },
      { address, signal },
    )
    await changePassword(job, address, { existing: undefined, next: newPassword })
  }
  return null
}

/**
 * Changes the password. The user enters in the visible frame what the payload omits.
 * @throws KeybayError `consent_required`; `frame_password_missing` if the wallet has no password;
 *   `frame_password_wrong`, `frame_password_limited`, `frame_password_short`
 */
export async function updatePassword(job: Job, payload: UpdatePassword) {
  const { frame, context } = job
  const { accountAddress: address, existingPassword: existing, newPassword: next } = payload
  if (!isProtected(await keptWallet(job, address)))
    throw frameError('frame_password_missing', { detail: 'it has none yet: set one' })
  if (existing !== undefined && next !== undefined) {
    await changePassword(job, address, { existing, next })
    return null
  }
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const change = (entered: PasswordChange) => changePassword(job, address, entered)
  await (await openWindow(frame)).askNewPassword(frame.screen, {
    address,
    hasPassword: true,
    change,
    signal: context.signal,
  })
  return null
}

/**
 * Returns true if this is the wallet's password. Returns false for a wallet without one.
 * @throws KeybayError `frame_password_limited` after five wrong ones
 */
export async function verifyPassword(job: Job, payload: PayloadOf<'verifyPassword'>) {
  const { frame } = job
  const stored = await keptWallet(job, payload.accountAddress)
  if (!isProtected(stored)) return false
  try {
    eraseShare(await tryPassword(frame, stored, () => openShare(frame, stored, stored.share, payload.password)))
    return true
  } catch (error) {
    if (error instanceof KeybayError && error.code === 'frame_password_wrong') return false
    throw error
  }
}
