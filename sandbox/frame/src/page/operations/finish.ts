/** Finishes a creation: checks the backup, has the relay create the wallet, and verifies its record. */
import { KeybayError, toBase64Url } from '@keybay/kernel/spec'
import type { BackupSecret } from '@keybay/waas/mpc'
import type { BackupTarget, WalletWithBackup } from '@keybay/waas/protocol'
import { oneWallet } from '@keybay/waas/relay-client'
import { askUnlock } from '../backup/secret.js'
import type { Frame } from '../core/frame.js'
import { getDevice, type Job } from '../core/job.js'
import { committedAfterAll, settleSet } from '../core/settle.js'
import { type KnownSet, type KnownWallet, verifyWallet, walletView } from '../core/views.js'
import { frameError, relayAnswerWrong } from '../errors/errors.js'
import { tryEnvelope } from '../password/limit.js'
import type { KeptBackup, KeptSet } from '../store/kept.js'
import { recordAccount } from './backup-account.js'
import { backUp, keptAt } from './backup-providers.js'

export interface Backing {
  readonly target: BackupTarget | undefined
  readonly password: BackupSecret | undefined
}

export function getReceipt(backup: KeptBackup | undefined, envelope: Uint8Array | undefined) {
  return (
    backup && { provider: backup.provider, epoch: backup.epoch, backedUpAt: backup.at, ...(envelope && { envelope }) }
  )
}

/**
 * Stores an envelope at its target, reads it back and checks it. Without a target the envelope stays here, encrypted.
 * @param read returns the envelope from this browser's disk
 */
export async function placeEnvelope(
  job: Job,
  stored: KeptSet,
  envelopeSource: {
    readonly set: Uint8Array
    readonly epoch: number
    readonly delivered: boolean
    readonly read: () => Promise<Uint8Array | undefined>
  },
  { target, password }: Backing,
): Promise<KeptBackup | undefined> {
  const { frame, context } = job
  const envelope = await envelopeSource.read()
  if (!envelope) return undefined
  const { set, epoch, delivered } = envelopeSource
  const about = { address: stored.address, signal: context.signal }
  const secret = password ?? (await askUnlock(frame.screen, envelope, about))
  if (target) {
    await backUp(job, { walletId: stored.walletId, envelope, set, target, password: secret, delivered })
    return keptAt(target, epoch, frame.clock.now())
  }
  await tryEnvelope(frame, stored, { envelope, set, password: secret })
  return undefined
}

/**
 * Returns the record of a set, if it matches what this frame computed.
 * @throws KeybayError `frame_relay_answer_wrong`
 */
export function getRecord(wallet: KnownWallet, setId: string, set: Uint8Array): KnownSet {
  const known = wallet.sets.find(set => set.setId === setId)
  if (known?.status === 'active' && known.claims.pub === toBase64Url(set)) return known
  throw new KeybayError(relayAnswerWrong, { detail: 'the record says something else than was agreed' })
}

export async function finishCreation(job: Job, stored: KeptSet, backing: Backing): Promise<WalletWithBackup> {
  const { frame, user, authority } = job
  const { creation, share, setId } = stored
  if (!creation) throw new RangeError('nothing to finish')
  const backup = await placeEnvelope(
    job,
    stored,
    {
      set: share.set,
      epoch: share.epoch,
      delivered: frame.screen.visible && stored.delivered === true,
      read: async () => (await readKept(frame, user, setId)).envelope,
    },
    backing,
  ).catch(async (error: unknown) => {
    if (error instanceof KeybayError && error.code === 'consent_required')
      await frame.store.put({ ...stored, delivered: true })
    throw error
  })
  // Store the backup's entry before the wallet exists, so that a crash here does not make the wallet look unbacked.
  if (backup) await frame.store.put({ ...stored, backups: [backup] })
  frame.screen.busy('Creating your wallet…')
  const { path, body } = creation
  const request = { path, body, answer: oneWallet, authority, device: getDevice(stored) }
  const known = await frame.relay.post(request).then(
    async ({ wallet }) => {
      const verified = await verifyWallet(frame, user, wallet)
      // As a list does. Without the entry, a frame requests the wallet when it needs it.
      frame.store.keepKnown(user, wallet).catch(() => {})
      return verified
    },
    (refusal: unknown) => committedAfterAll(job, stored, share, refusal),
  )
  const done = await settleSet(frame, stored, getRecord(known, setId, share.set), true)
  if (!done) throw frameError('frame_storage_unavailable')
  // The wallet exists. Without the account in its record, the next backup in another browser asks.
  await recordAccount(job, done, known).catch(() => {})
  const receipt = getReceipt(backup, stored.envelope)
  return { wallet: walletView(known, [done]), ...(receipt && { backup: receipt }) }
}

async function readKept({ store }: Frame, user: string, setId: string): Promise<KeptSet> {
  const stored = await store.get(user, setId)
  if (!stored) throw frameError('frame_storage_unavailable')
  return stored
}
