/**
 * Stores the backup share at a provider, without new shares: sends the envelope that this browser still has from the
 * creation, or one read from another provider. The copy is read back and opened before any envelope is dropped.
 */
import { fromBase64Url, KeybayError } from '@keybay/kernel/spec'
import {
  type BackupSecret,
  codecs,
  decode,
  eraseShare,
  openBackupWith,
  SCHEMES,
  sealBackupWith,
} from '@keybay/waas/mpc'
import { type Backup, type BackupReceipt, consentRequired, type Keyed, type OnAccount } from '@keybay/waas/protocol'
import { listSchema, oneWallet } from '@keybay/waas/relay-client'
import { askPassword } from '../backup/ask-password.js'
import { assertSet, checkEnvelope } from '../backup/envelope.js'
import { readRecoveryCode, unlockText } from '../backup/recovery-code.js'
import { askUnlock, chosenByPage, isUnderPasskey, secretFor } from '../backup/secret.js'
import { getDevice, type Job, proveAction } from '../core/job.js'
import { keptWallet } from '../core/share.js'
import { readWallet, verifyWallet } from '../core/views.js'
import { frameError, relayAnswerWrong } from '../errors/errors.js'
import { tryEnvelope } from '../password/limit.js'
import { agreeTo } from '../screen/questions.js'
import type { KeptBackup, KeptSet } from '../store/kept.js'
import { askNew } from './ask-new.js'
import { compareAccount, recordAccount } from './backup-account.js'
import {
  assertProvider,
  backUp,
  eraseOldCopies,
  eraseWhileHeld,
  keptAt,
  needsAccount,
  openForBackup,
  openStore,
  prepareBackup,
} from './backup-providers.js'
import { givenSecret } from './create.js'

/** Newest sealed envelope of the wallet, from this browser or a provider, and the secret that opens it. */
interface Sealed {
  readonly envelope: Uint8Array
  readonly password: BackupSecret
}

/** Finds the newest sealed envelope, and opens it with the request's secret or with one that the user enters. */
async function findSealed(job: Job, stored: KeptSet, payload: Backup): Promise<Sealed> {
  const { set, epoch } = stored.share
  const { argon2id, screen } = job.frame
  const { address, envelope, walletId } = stored
  const { signal } = job.context
  const opens = (copy: Uint8Array) => (password: BackupSecret) => checkEnvelope(copy, { set, password, argon2id })
  const askSecret = (copy: Uint8Array, check = opens(copy)) => askUnlock(screen, copy, { address, signal, check })
  const pageSecret = payload.backup.provider === 'dynamic' ? payload.password : givenSecret(payload)
  /** Returns the request's secret if it opens this copy, or undefined if a passkey opens it or there is no secret. */
  const opened = async (copy: Uint8Array, check = opens(copy)): Promise<BackupSecret | undefined> => {
    if (pageSecret === undefined || isUnderPasskey(copy)) return undefined
    await check(pageSecret)
    return pageSecret
  }
  if (envelope) {
    const tried = (password: BackupSecret) => tryEnvelope(job.frame, stored, { envelope, set, password })
    return { envelope, password: (await opened(envelope, tried)) ?? (await askSecret(envelope, tried)) }
  }
  const [source] = stored.backups.filter(
    backup => backup.epoch === epoch && backup.provider !== payload.backup.provider,
  )
  const from = source ?? stored.backups.find(backup => backup.epoch === epoch)
  if (!from) throw frameError('frame_backup_missing')
  const store = await openStore(job, from)
  // The file prompt rejects a wrong file immediately. Prompt for the secret after that.
  const { value } = await store.read({ walletId, epoch, set }, async copy => {
    assertSet(copy, set)
    return { copy, password: await opened(copy) }
  })
  return { envelope: value.copy, password: value.password ?? (await askSecret(value.copy)) }
}

/** Returns the envelope, sealed again if the new place requires a stronger secret. */
async function sealedFor(
  job: Job,
  { envelope, password }: Sealed,
  { backup: target, accountAddress: address }: Backup,
): Promise<Sealed> {
  const { argon2id, screen } = job.frame
  const { signal } = job.context
  const targetSecret = await secretFor(askNew(job.frame), target, password, signal)
  if (targetSecret === password) return { envelope, password }
  const consent = chosenByPage(target, target.password && unlockText(target.password))
  if (consent !== undefined) {
    const question = { title: 'Let the page open this backup?', sentences: [consent], action: 'Confirm' }
    await agreeTo(screen, question, { address, signal })
  }
  const { shares, sealedSeed } = await openBackupWith(envelope, password, argon2id)
  try {
    return {
      envelope: await sealBackupWith({ shares, sealedSeed, password: targetSecret, argon2id }),
      password: targetSecret,
    }
  } finally {
    eraseShare(...shares)
  }
}

/** Returns true if the operation needs the visible frame. */
function needsUser(payload: Backup): boolean {
  const { backup: target, password } = payload
  if (target.provider === 'external' && target.keeper !== 'host') return target.envelope === undefined
  if (target.provider !== 'dynamic') return givenSecret(payload) === undefined
  // An envelope under a recovery code can be stored there as it is.
  return target.passkey === true || password === undefined || readRecoveryCode(password) === undefined
}

/** @throws KeybayError `frame_backup_reshare_needed` for a wallet of two shares; `frame_backup_…` */
export async function backupKeyShares(job: Job, payload: Backup): Promise<BackupReceipt> {
  const { frame, context, user } = job
  const { backup: target } = payload
  assertProvider(frame, target)
  const stored = await keptWallet(job, payload.accountAddress, 'primary')
  if (!SCHEMES[stored.scheme].parties.includes('B1')) throw frameError('frame_backup_reshare_needed')
  const { walletId, setId, share } = stored
  // Check this before any prompt or request. Otherwise the user would have to grant access twice.
  const isUserNeeded = needsUser(payload) || (await needsAccount(job, target, walletId))
  if (!frame.screen.visible && isUserNeeded) throw new KeybayError(consentRequired)
  const question = {
    title: 'Back up this wallet?',
    sentence: 'An encrypted copy of its backup part goes to the place that you chose.',
  }
  const prepare = () => prepareBackup(job, target, stored.backups)
  const { authority } = await proveAction(job, stored.address, question, prepare)
  context.progress({ step: 'authorise', number: 1, of: 4 })
  const path = `/wallets/${walletId}/backup`
  await frame.relay.post({ path, body: { setId }, answer: oneWallet, authority, device: getDevice(stored) })
  const sealed = await sealedFor(job, await findSealed(job, stored, payload), payload)
  const store = await openForBackup(job, target, walletId)
  frame.screen.busy('Backing up…')
  context.progress({ step: 'upload', number: 2, of: 4 })
  await backUp(job, { walletId, set: share.set, target, delivered: false, ...sealed })
  await recordAccount(job, stored, await readWallet(job, walletId))
  context.progress({ step: 'checked', number: 3, of: 4 })
  const done = keptAt(target, share.epoch, frame.clock.now())
  await frame.locks.changing(walletId, async () => {
    const current = await frame.store.get(user, setId)
    // The set was reshared in the meantime, so this backup holds old shares.
    if (!current || current.share.epoch !== share.epoch) return
    const { envelope: _, ...rest } = current
    const others = current.backups.filter(({ provider }) => provider !== store.provider)
    await frame.store.put({ ...rest, backups: [...others, done] })
  })
  await eraseOldCopies(job, stored, share)
  context.progress({ step: 'backedUp', number: 4, of: 4 })
  return {
    provider: done.provider,
    epoch: done.epoch,
    backedUpAt: done.at,
    ...(target.provider === 'external' && { envelope: sealed.envelope }),
  }
}

export function backupToGoogleDrive(job: Job, payload: OnAccount & Keyed): Promise<BackupReceipt> {
  return backupKeyShares(job, { ...payload, backup: { provider: 'googleDrive' } })
}

/** Returns the wallet's current set from the relay's signed record. Works in any browser, even one without a share. */
async function currentSet(job: Job, address: string): Promise<{ readonly walletId: string; readonly set: Uint8Array }> {
  const { frame, user, authority } = job
  const { wallets } = await frame.relay.post({ path: '/wallets/list', body: {}, answer: listSchema, authority })
  const wallet = wallets.find(known => known.address === address)
  if (!wallet) throw frameError('frame_backup_missing')
  const { sets } = await verifyWallet(frame, user, wallet)
  const primary = sets.find(({ kind }) => kind === 'primary')
  if (!primary) throw new KeybayError(relayAnswerWrong, { detail: 'a wallet without a set' })
  return { walletId: wallet.walletId, set: fromBase64Url(primary.claims.pub) }
}

/**
 * Reads the copy back, opens it, and compares it with the wallet's current set. At the account that the user agreed to,
 * it then erases the copies of older epochs.
 */
export async function verifyBackup(job: Job, payload: Backup) {
  const { frame, context } = job
  const { user } = job
  const { backup: target, accountAddress: address } = payload
  assertProvider(frame, target)
  const pageSecret = givenSecret(payload)
  const isFile = target.provider === 'external' && target.keeper !== 'host'
  if (!frame.screen.visible && (pageSecret === undefined || isFile)) throw new KeybayError(consentRequired)
  const { walletId, set } = await currentSet(job, address)
  const { epoch } = decode(codecs.shareSet, set)
  const { argon2id } = frame
  const { signal } = context
  const stored = await frame.store.byAddress(user, address)
  const note = (change: (backups: readonly KeptBackup[]) => readonly KeptBackup[]) =>
    frame.locks.changing(walletId, async () => {
      const current = stored && (await frame.store.get(user, stored.setId))
      if (current) await frame.store.put({ ...current, backups: change(current.backups) })
    })
  // A copy at the product API may be under a passkey, which its header shows once it is read.
  const isOpen = pageSecret === undefined && target.provider === 'dynamic'
  const password = pageSecret ?? (isOpen ? undefined : await askPassword(frame.screen, { address, signal }))
  const store = await openStore(job, target)
  frame.screen.busy('Checking your backup…')
  const others = (backups: readonly KeptBackup[]) => backups.filter(({ provider }) => provider !== target.provider)
  const opens = (copy: Uint8Array) => (password: BackupSecret) => checkEnvelope(copy, { set, password, argon2id })
  try {
    const { value } = await store.read({ walletId, epoch, set }, async copy => {
      if (password === undefined) assertSet(copy, set)
      else await opens(copy)(password)
      return copy
    })
    if (password === undefined) await askUnlock(frame.screen, value, { address, signal, check: opens(value) })
  } catch (error) {
    // The provider has no backup, so drop the entry that says it has one.
    if (error instanceof KeybayError && error.code === 'frame_backup_missing') await note(others)
    throw error
  }
  const at = frame.clock.now()
  // A copy in another account does not count as the wallet's backup: a page can bring one of its own.
  const account = await store.account?.()
  const candidate = account && { walletId, provider: target.provider, account }
  const isAgreed = !candidate || (await compareAccount(job, candidate)) === undefined
  if (isAgreed) await note(backups => [...others(backups), keptAt(target, epoch, at)])
  // Device and backup both have this epoch now, so a copy that a crash left behind can go. The API's stay: a session
  // signature for reading erases nothing there.
  if (isAgreed && stored?.kind === 'primary' && store.account)
    await eraseWhileHeld(job, stored, set, async () => store.eraseOlder?.({ walletId, epoch }))
  return { provider: target.provider, epoch, backedUpAt: at }
}
