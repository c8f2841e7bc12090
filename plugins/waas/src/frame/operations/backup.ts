/**
 * The backup share to a provider, without new shares: what was sealed at creation and is still here goes out as it is; what
 * is at one provider already is read from there. Either way the copy is read back and opened before anything is forgotten.
 */
import { KeybayError } from '@keybay/kernel'
import { codecs, decode, eraseShare, openBackup, SCHEMES, sealBackup } from '../../mpc/index.js'
import { consentRequired } from '../../protocol/errors.js'
import type { Backup, BackupReceipt, HandlerContext, Keyed, OnAccount } from '../../protocol/index.js'
import { checkEnvelope } from '../backup/envelope.js'
import { assertProvider, backUp, eraseOldCopies, openStore } from '../backup/providers.js'
import { readRecoveryCode } from '../backup/recovery-code.js'
import { fromBase64Url } from '../bytes.js'
import { backupMissing, codeNeeded, relayAnswerWrong, reshareNeeded } from '../errors.js'
import type { Frame } from '../frame.js'
import { listSchema, oneWallet } from '../relay/answers.js'
import { giveRecoveryCode } from '../screen/backup-secret.js'
import { askPassword } from '../screen/questions.js'
import type { KeptBackup, KeptSet } from '../store/kept.js'
import { givenSecret } from './create.js'
import { deviceOf, type Job, proveAction, startJob } from './job.js'
import { keptWallet } from './share.js'
import { verifyWallet } from './views.js'

/** The newest sealed envelope of the wallet, from this browser or from a provider that has it; and what opens it. */
interface Sealed {
  readonly envelope: Uint8Array
  readonly password: string
}

/**
 * What opens the envelope: what came with the request, or what the person enters.
 *
 * @throws KeybayError `consent_required`; `mpc_backup_unreadable` for what does not open it
 */
const openingPassword = async (
  { frame, context: { signal } }: Job,
  { address }: KeptSet,
  given: string | undefined,
  check: (password: string) => Promise<void>,
): Promise<string> => {
  if (given === undefined) return askPassword(frame.screen, { address, signal, check })
  await check(given)
  return given
}

const findSealed = async (job: Job, kept: KeptSet, payload: Backup): Promise<Sealed> => {
  const { set, epoch } = kept.share
  const { argon2id } = job.frame
  const opens = (envelope: Uint8Array) => (password: string) => checkEnvelope(envelope, { set, password, argon2id })
  const given = payload.backup.provider === 'dynamic' ? payload.password : givenSecret(payload)
  const { envelope } = kept
  if (envelope) return { envelope, password: await openingPassword(job, kept, given, opens(envelope)) }
  const [source] = kept.backups.filter(backup => backup.epoch === epoch && backup.provider !== payload.backup.provider)
  const from = source ?? kept.backups.find(backup => backup.epoch === epoch)
  if (!from) throw new KeybayError(backupMissing)
  const store = await openStore(job, { provider: from.provider })
  const { value } = await store.read(kept.walletId, async copy => {
    // In a file's question a wrong file is told at once; its password is asked for after that.
    const password = given ?? (from.provider === 'external' ? undefined : await askFor(job, kept, opens(copy)))
    if (password !== undefined) await opens(copy)(password)
    return { envelope: copy, password }
  })
  const password = value.password ?? (await askFor(job, kept, opens(value.envelope)))
  return { envelope: value.envelope, password }
}
const askFor = ({ frame, context: { signal } }: Job, { address }: KeptSet, check: (text: string) => Promise<void>) =>
  askPassword(frame.screen, { address, signal, check })

/** For a provider whose operator could guess: under a recovery code, whatever it was sealed under before. */
const underCode = async (job: Job, { envelope, password }: Sealed, given: string | undefined): Promise<Sealed> => {
  if (readRecoveryCode(password) !== undefined) return { envelope, password }
  if (given !== undefined && readRecoveryCode(given) === undefined) throw new KeybayError(codeNeeded)
  const code = given ?? (await giveRecoveryCode(job.frame.screen, job.context.signal))
  const { argon2id } = job.frame
  const { shares, sealedSeed } = await openBackup(envelope, password, argon2id)
  try {
    return { envelope: await sealBackup({ shares, sealedSeed, password: code, argon2id }), password: code }
  } finally {
    eraseShare(...shares)
  }
}

/** Whether something has to be entered, chosen or shown: only a window that the person sees can do that. */
const needsPerson = (payload: Backup): boolean => {
  const { backup: target, password } = payload
  if (target.provider === 'external') return target.envelope === undefined
  if (target.provider !== 'dynamic') return givenSecret(payload) === undefined
  return password === undefined || (target.password === undefined && readRecoveryCode(password) === undefined)
}

const backup = async (frame: Frame, job: Job, payload: Backup): Promise<BackupReceipt> => {
  const { context, user } = job
  const { backup: target } = payload
  assertProvider(frame, target)
  const kept = await keptWallet(job, payload.accountAddress, 'primary')
  if (!SCHEMES[kept.scheme].parties.includes('B1')) throw new KeybayError(reshareNeeded)
  const { walletId, setId, share } = kept
  // Before anything is asked or sent: else the person would be asked for access twice.
  if (!frame.screen.visible && needsPerson(payload)) throw new KeybayError(consentRequired)
  const { authority } = await proveAction(
    job,
    kept.address,
    'Back up this wallet?',
    'An encrypted copy of its backup part goes to the place that you chose.',
  )
  context.progress({ step: 'authorise', number: 1, of: 4 })
  const path = `/wallets/${walletId}/backup`
  await frame.relay.post({ path, body: { setId }, answer: oneWallet, authority, device: deviceOf(kept) })
  const found = await findSealed(job, kept, payload)
  const sealed = target.provider === 'dynamic' ? await underCode(job, found, target.password) : found
  const store = await openStore(job, target)
  frame.screen.busy('Backing up')
  context.progress({ step: 'upload', number: 2, of: 4 })
  await backUp(job, { walletId, set: share.set, target, delivered: false, ...sealed })
  context.progress({ step: 'checked', number: 3, of: 4 })
  const done: KeptBackup = { provider: store.provider, epoch: share.epoch, at: frame.clock.now() }
  await frame.locks.changing(walletId, async () => {
    const current = await frame.store.get(user, setId)
    // New shares were made meanwhile: this backup is of the old ones, and no word is said of it.
    if (!current || current.share.epoch !== share.epoch) return
    const { envelope: _, ...rest } = current
    const others = current.backups.filter(({ provider }) => provider !== store.provider)
    await frame.store.put({ ...rest, backups: [...others, done] })
  })
  await eraseOldCopies(job)
  context.progress({ step: 'backedUp', number: 4, of: 4 })
  frame.screen.clear()
  return {
    provider: done.provider,
    epoch: done.epoch,
    backedUpAt: done.at,
    ...(target.provider === 'external' && { envelope: sealed.envelope }),
  }
}

/** @throws KeybayError `frame_backup_reshare_needed` for a wallet of two parts; `frame_backup_…` */
export const backupKeyShares = async (frame: Frame, payload: Backup, context: HandlerContext): Promise<BackupReceipt> =>
  backup(frame, await startJob(frame, 'backupKeyShares', payload, context), payload)

export const backupToGoogleDrive = async (
  frame: Frame,
  payload: OnAccount & Keyed,
  context: HandlerContext,
): Promise<BackupReceipt> => {
  const job = await startJob(frame, 'backupKeySharesToGoogleDrive', payload, context)
  return backup(frame, job, { ...payload, backup: { provider: 'googleDrive' } })
}

/** The set of the wallet as the relay's signed record has it now, for whichever browser asks. */
const currentSet = async (
  job: Job,
  address: string,
): Promise<{ readonly walletId: string; readonly set: Uint8Array }> => {
  const { frame, user, authority } = job
  const { wallets } = await frame.relay.post({ path: '/wallets/list', body: {}, answer: listSchema, authority })
  const wallet = wallets.find(one => one.address === address)
  if (!wallet) throw new KeybayError(backupMissing)
  const { sets } = await verifyWallet(frame, user, wallet)
  const primary = sets.find(({ kind }) => kind === 'primary')
  if (!primary) throw new KeybayError(relayAnswerWrong, { detail: 'a wallet without a set' })
  return { walletId: wallet.walletId, set: fromBase64Url(primary.claims.pub) }
}

/** Reads the copy back, opens it, and compares it with the wallet as it is now. Changes nothing at the provider. */
export const verifyBackup = async (frame: Frame, payload: Backup, context: HandlerContext): Promise<BackupReceipt> => {
  const job = await startJob(frame, 'verifyBackup', payload, context)
  const { user } = job
  const { backup: target, accountAddress: address } = payload
  assertProvider(frame, target)
  if (!frame.screen.visible && (givenSecret(payload) === undefined || target.provider === 'external'))
    throw new KeybayError(consentRequired)
  const { walletId, set } = await currentSet(job, address)
  const { epoch } = decode(codecs.shareSet, set)
  const { argon2id } = frame
  const { signal } = context
  const kept = await frame.store.byAddress(user, address)
  const note = (change: (backups: readonly KeptBackup[]) => readonly KeptBackup[]) =>
    frame.locks.changing(walletId, async () => {
      const current = kept && (await frame.store.get(user, kept.setId))
      if (current) await frame.store.put({ ...current, backups: change(current.backups) })
    })
  const password = givenSecret(payload) ?? (await askPassword(frame.screen, { address, signal }))
  const store = await openStore(job, target)
  frame.screen.busy('Checking the backup')
  const others = (backups: readonly KeptBackup[]) => backups.filter(({ provider }) => provider !== target.provider)
  try {
    await store.read(walletId, copy => checkEnvelope(copy, { set, password, argon2id }))
  } catch (error) {
    // What is not there is no backup, whatever was true before.
    if (error instanceof KeybayError && error.code === backupMissing.code) await note(others)
    throw error
  }
  const at = frame.clock.now()
  await note(backups => [...others(backups), { provider: target.provider, epoch, at }])
  frame.screen.clear()
  return { provider: target.provider, epoch, backedUpAt: at }
}
