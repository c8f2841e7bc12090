/**
 * Refreshes and reshares the shares of a key, in an order that never leaves a wallet without shares or a backup: store
 * the new device share on disk → store the new backup, read back and checked → commit at the relay → erase the old
 * share. After a crash, the same request continues, or the old epoch stays active.
 */
import { KeybayError, recordInvalid, toBase64Url } from '@keybay/kernel/spec'
import { type BackupSecret, SCHEMES } from '@keybay/waas/mpc'
import { isOfPackage } from '@keybay/waas/mpc/lifecycle'
import { assertBackupFits, type Refresh, type Reshare, type WalletWithBackup } from '@keybay/waas/protocol'
import { oneWallet } from '@keybay/waas/relay-client'
import { sealEnvelope } from '../backup/envelope.js'
import { chosenByPage } from '../backup/secret.js'
import { type Resharing, reshareWithRelays } from '../ceremony/reshare.js'
import { type ActionQuestion, getDevice, type Job, proveAction } from '../core/job.js'
import { committedAfterAll, settleSet } from '../core/settle.js'
import { keptWallet, readyShare } from '../core/share.js'
import { readPolicyHash, verifyWallet, walletView } from '../core/views.js'
import { sealShare } from '../store/keep.js'
import type { KeptBackup, KeptSet, PendingCeremony } from '../store/kept.js'
import { recordAccount } from './backup-account.js'
import { assertProvider, eraseOldCopies, openForBackup, prepareBackup } from './backup-providers.js'
import { backupSecret, givenSecret, hasBackup } from './create.js'
import { getReceipt, getRecord, placeEnvelope } from './finish.js'

interface Target extends Pick<PendingCeremony, 'operation' | 'scheme'>, Pick<Resharing, 'purpose'> {
  readonly question: Pick<ActionQuestion, 'title' | 'sentence'>
}

interface Dealt {
  readonly kept: KeptSet
  /** Secret of the new backup, so that the user enters it only once. */
  readonly secret?: BackupSecret | undefined
}

/** Runs the first round trip, until the new device share and the new envelope are on disk. */
async function deal(
  job: Job,
  stored: KeptSet,
  payload: Refresh,
  { operation, scheme, purpose }: Target,
): Promise<Dealt> {
  const { frame, authority, context, user } = job
  const sharing = SCHEMES[scheme]
  const { ready, password } = await readyShare(job, stored, payload.password)
  const { share } = ready
  const secret = hasBackup(scheme) ? await backupSecret(frame, payload, context.signal) : undefined
  if (payload.backup && secret !== undefined) await openForBackup(job, payload.backup, stored.walletId)
  frame.screen.busy('Creating new key shares…')
  const { walletId, setId, curve, epoch } = share.set
  const next = { ceremonyId: crypto.randomUUID(), walletId, setId, epoch: epoch + 1, curve, ...sharing }
  const made = await reshareWithRelays({
    relay: frame.relay,
    keys: await frame.relayKeys(),
    authority,
    device: getDevice(stored),
    deviceKey: stored.deviceKey,
    share,
    purpose,
    newScheme: scheme,
    next,
    policyHash: await readPolicyHash(job, stored.address, stored),
  })
  const [ownShare, ...backupShares] = made.shares
  if (!ownShare) throw new RangeError('a resharing without the device')
  context.progress({ step: 'backup', number: 2, of: 4 })
  const { argon2id } = frame
  const { sealedSeed } = stored
  const [envelope, newShare] = await Promise.all([
    sealEnvelope({ shares: backupShares, sealedSeed, password: secret ?? '', argon2id }),
    sealShare(frame, stored, ownShare, password),
  ])
  ownShare.secret.fill(0)
  const { transcript, proofs, expiresAt } = made
  const pending: PendingCeremony = {
    ceremonyId: next.ceremonyId,
    operation,
    scheme,
    place: payload.backup?.provider,
    share: newShare,
    transcript,
    proofs,
    ...(envelope && { envelope }),
    expiresAt,
  }
  return { kept: await change(job, stored, current => ({ ...current, pending, delivered: false }), user), secret }
}

function change({ frame }: Job, { walletId, setId }: KeptSet, act: (kept: KeptSet) => KeptSet, user: string) {
  return frame.locks.changing(walletId, async () => {
    const current = await frame.store.get(user, setId)
    if (!current) throw new KeybayError(recordInvalid, { detail: 'the share is gone' })
    const changed = act(current)
    await frame.store.put(changed)
    return changed
  })
}

/** Records where the new backup is. Another tab may have committed or replaced the ceremony since. */
function withBackup(current: KeptSet, { ceremonyId, share }: PendingCeremony, backup: KeptBackup): KeptSet {
  const { pending, envelope: _, ...rest } = current
  if (pending?.ceremonyId === ceremonyId) return { ...current, pending: { ...pending, backup } }
  return isOfPackage(current.share, toBase64Url(share.set)) ? { ...rest, pending, backups: [backup] } : current
}

async function commit(job: Job, { kept, secret }: Dealt, payload: Refresh): Promise<WalletWithBackup> {
  const { frame, user, authority, context } = job
  const { pending, setId, walletId } = kept
  if (!pending) throw new RangeError('nothing to commit')
  const { share, ceremonyId, transcript, proofs } = pending
  const place = {
    set: share.set,
    epoch: share.epoch,
    delivered: frame.screen.visible && kept.delivered === true,
    read: async () => (await frame.store.get(user, setId))?.pending?.envelope,
  }
  const password = secret ?? givenSecret(payload)
  const backing = { target: payload.backup, password }
  const backup = await placeEnvelope(job, kept, place, backing).catch(async (error: unknown) => {
    if (error instanceof KeybayError && error.code === 'consent_required')
      await change(job, kept, current => ({ ...current, delivered: true }), user)
    throw error
  })
  if (backup) await change(job, kept, current => withBackup(current, pending, backup), user)
  context.progress({ step: 'commit', number: 3, of: 4 })
  frame.screen.busy('Switching to the new shares…')
  const path = `/wallets/${walletId}/reshare/commit`
  const body = { ceremonyId, transcript, proofs }
  const request = { path, body, answer: oneWallet, authority, device: getDevice(kept) }
  const known = await frame.relay.post(request).then(
    ({ wallet }) => verifyWallet(frame, user, wallet),
    (refusal: unknown) => committedAfterAll(job, kept, share, refusal),
  )
  const done = await settleSet(frame, kept, getRecord(known, setId, share.set), true)
  if (!done) throw new KeybayError(recordInvalid, { detail: 'the share is gone' })
  // The new shares are active. Without the account in their record, the next backup in another browser asks.
  await recordAccount(job, done, known).catch(() => {})
  await eraseOldCopies(job, kept, share)
  context.progress({ step: 'done', number: 4, of: 4 })
  const receipt = getReceipt(backup, pending.envelope)
  return { wallet: walletView(known, [done]), ...(receipt && { backup: receipt }) }
}

/** Adds the default place of the new backup: that of the newest backup, which the resharing makes useless. */
function withPlace(payload: Refresh, { backups }: KeptSet, scheme: Target['scheme']): Refresh {
  const [newest] = backups.toSorted((a, b) => b.at - a.at)
  if (payload.backup || !newest || !hasBackup(scheme)) return payload
  const { provider, keeper } = newest
  return { ...payload, backup: { provider, ...(keeper && { keeper }) } }
}

async function run(job: Job, request: Refresh, target: Target): Promise<WalletWithBackup> {
  const { frame, context } = job
  const { accountAddress: address } = request
  const stored = await keptWallet(job, address, 'primary')
  const payload = withPlace(request, stored, target.scheme)
  assertProvider(frame, payload.backup)
  const { pending } = stored
  // Another place may require a stronger secret than the one that the waiting backup has.
  const goesOn =
    pending?.operation === target.operation &&
    !pending.ended &&
    pending.scheme === target.scheme &&
    pending.place === payload.backup?.provider &&
    pending.expiresAt > frame.clock.now()
  context.progress({ step: 'deal', number: 1, of: 4 })
  const prepare = () => prepareBackup(job, payload.backup, stored.backups)
  if (goesOn) {
    await prepare()
    return commit(job, { kept: stored }, payload)
  }
  const consent = hasBackup(target.scheme) ? chosenByPage(payload.backup, givenSecret(payload)) : undefined
  const proved = await proveAction(job, address, { ...target.question, consent }, prepare)
  return commit(proved, await deal(proved, stored, payload, target), payload)
}

/** @throws KeybayError `backup_unsupported` */
export async function refreshShares(job: Job, payload: Refresh) {
  const operation = 'refreshWalletAccountShares'
  const { scheme } = await keptWallet(job, payload.accountAddress, 'primary')
  assertBackupFits(scheme, payload.backup)
  const question = {
    title: 'Create new key shares?',
    sentence: 'Your address stays the same. The old shares stop working.',
  }
  return run(job, payload, { operation, scheme, purpose: 'refresh', question })
}

/** @throws KeybayError `record_invalid` if the old scheme is not the wallet's */
export async function reshare(job: Job, payload: Reshare) {
  const { oldThresholdSignatureScheme: from, newThresholdSignatureScheme: to } = payload
  const { scheme } = await keptWallet(job, payload.accountAddress, 'primary')
  if (scheme !== from) throw new KeybayError(recordInvalid, { detail: 'reshare.oldThresholdSignatureScheme' })
  const { threshold, parties } = SCHEMES[to]
  const question = {
    title: 'Create new key shares?',
    sentence: `${threshold} of ${parties.length} shares will sign for this wallet. The old shares stop working.`,
  }
  return run(job, payload, { operation: 'reshare', scheme: to, purpose: 'reshare', question })
}
