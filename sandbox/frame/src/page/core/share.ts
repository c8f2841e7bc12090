/** Finds and opens the share of a wallet that this browser holds. */
import { askPassword } from '../backup/ask-password.js'
import { frameError } from '../errors/errors.js'
import { tryPassword } from '../password/limit.js'
import { openShare } from '../store/keep.js'
import type { KeptSet } from '../store/kept.js'
import { openChain } from './chain-kit.js'
import type { Job } from './job.js'

/**
 * Returns the set whose share signs for an address.
 * @param kind only the primary set can be refreshed and reshared
 * @throws KeybayError `frame_share_elsewhere`; `set_revoked` if this browser has only revoked shares
 */
export async function keptWallet({ frame, user }: Job, address: string, kind?: KeptSet['kind']): Promise<KeptSet> {
  const all = (await frame.store.list(user)).filter(set => set.address === address && !set.creation)
  const matches = all.filter(set => kind === undefined || set.kind === kind)
  const [stored] = matches.filter(({ retired }) => !retired).toSorted((a, b) => b.createdAt - a.createdAt)
  if (!stored) throw frameError(matches.length > 0 ? 'set_revoked' : 'frame_share_elsewhere')
  // Load the chain's code before reading the share.
  await openChain(frame, stored.chainName)
  return stored
}

/**
 * Returns the share to copy for an offline recovery: the revoked primary share if R1 revoked it, because only a copy
 * can use it.
 * @throws as `keptWallet`
 */
export async function keptForCopy(job: Job, address: string): Promise<KeptSet> {
  const all = await job.frame.store.list(job.user)
  const revoked = all.find(
    ({ address: setAddress, kind, retired }) =>
      setAddress === address && kind === 'primary' && retired?.reason === 'revoked',
  )
  if (!revoked) return keptWallet(job, address)
  await openChain(job.frame, revoked.chainName)
  return revoked
}

/**
 * Returns the set to sign with, after the user has decided: it may have been reshared since. Prompts for its password
 * now, so that no lock is held while the user types.
 * @throws as `keptWallet` and `readyShare`
 */
export async function readyToSign(job: Job, address: string, pagePassword: string | undefined) {
  const stored = await keptWallet(job, address)
  const { password } = await readyShare(job, stored, pagePassword)
  return { stored, password }
}

/**
 * Opens the share in memory until the operation ends. If the page gave no password, the visible frame prompts the user
 * and keeps the password to itself.
 * @throws KeybayError `consent_required` in a hidden frame; `frame_password_wrong`, `frame_password_limited`
 */
export async function readyShare({ frame, context }: Job, stored: KeptSet, pagePassword: string | undefined) {
  const unlock = (password: string | undefined) => openShare(frame, stored, stored.share, password)
  const open = async (password: string | undefined) => {
    const { ready, release } = await frame.signers.lend(stored, password, () =>
      password === undefined ? unlock(password) : tryPassword(frame, stored, () => unlock(password)),
    )
    context.atEnd(release)
    return ready
  }
  if (!stored.share.sealed.password) return { ready: await open(undefined), password: undefined }
  if (pagePassword !== undefined) return { ready: await open(pagePassword), password: pagePassword }
  const password = await askPassword(frame.screen, { address: stored.address, signal: context.signal, check: open })
  return { ready: await open(password), password }
}
