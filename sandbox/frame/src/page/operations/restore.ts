/**
 * Restores a wallet from its backup (S1.12): the backup's share and the relay deal a share for this browser. It joins
 * as an additional device with its own set, or replaces a lost device: a refresh of the primary set makes the lost
 * share worthless, after making a new backup. Nothing changes anywhere before the relay's commit.
 */
import { accountNotFound, fromBase64Url, KeybayError } from '@keybay/kernel/spec'
import {
  additionalSharing,
  type BackupSecret,
  eraseShare,
  type KeyShare,
  type OpenedBackup,
  openBackupWith,
  SCHEMES,
  type SetPlan,
} from '@keybay/waas/mpc'
import { isOfPackage } from '@keybay/waas/mpc/lifecycle'
import { consentRequired, type OnAccount, type Restore, type WalletAnswer } from '@keybay/waas/protocol'
import { newDeviceKey } from '@keybay/waas/relay-client'
import { sealEnvelope } from '../backup/envelope.js'
import { askUnlock } from '../backup/secret.js'
import { type Reshared, reshareWithRelays } from '../ceremony/reshare.js'
import { type Job, provedBy } from '../core/job.js'
import { type KnownSet, type KnownWallet, readPolicyHash, verifyWallet } from '../core/views.js'
import { frameError, relayAnswerWrong } from '../errors/errors.js'
import { agreeTo } from '../screen/questions.js'
import { sealShare } from '../store/keep.js'
import type { KeptSet } from '../store/kept.js'
import { learnAccount } from './backup-account.js'
import { assertMatch } from './backup-match.js'
import { eraseOldCopies, keptAt, openStore, prepareBackup } from './backup-providers.js'
import { givenSecret } from './create.js'
import { finishCreation } from './finish.js'

type Mode = NonNullable<Restore['mode']>
const WORDS = {
  'add-device': {
    title: 'Restore the wallet here?',
    sentence: 'Adds this browser as another device. Your other devices keep working.',
    action: 'Restore',
  },
  'replace-device': {
    title: 'Replace the lost device?',
    sentence:
      'This browser takes its place. What the lost device keeps can never sign again, and you get a new backup: the old one no longer counts.',
    action: 'Replace it',
  },
} as const

interface Opened {
  readonly backup: OpenedBackup
  readonly password: BackupSecret
}

/** Reads the wallet's newest backup file and opens it. Both prompts stay open until the input is valid. */
async function openFile(job: Job, payload: Restore, wallet: KnownWallet, primary: KnownSet): Promise<Opened> {
  const { frame, context } = job
  const store = await openStore(job, payload.backup)
  const wanted = { walletId: wallet.walletId, epoch: primary.epoch, set: fromBase64Url(primary.claims.pub) }
  const { value: file } = await store.read(wanted, async copy => {
    assertMatch(copy, wallet, primary)
    return copy
  })
  const pageSecret = givenSecret(payload)
  const open = (password: BackupSecret) => openBackupWith(file, password, frame.argon2id)
  if (pageSecret !== undefined) return { backup: await open(pageSecret), password: pageSecret }
  let backup: OpenedBackup | undefined
  const password = await askUnlock(frame.screen, file, {
    address: wallet.address,
    signal: context.signal,
    check: async entered => {
      backup = await open(entered)
    },
  })
  return { backup: backup ?? (await open(password)), password }
}

/** Runs the first round trip, and erases the backup's shares at the end. */
async function deal(
  job: Job,
  { shares }: OpenedBackup,
  { mode, wallet, keyPair }: { readonly mode: Mode; readonly wallet: KnownWallet; readonly keyPair: CryptoKeyPair },
): Promise<Reshared & { readonly next: SetPlan }> {
  const { frame, authority } = job
  const [share] = shares
  if (!share) throw frameError('frame_backup_none')
  const isNew = mode === 'add-device'
  const { walletId, setId, curve, epoch } = share.set
  const next: SetPlan = {
    ceremonyId: crypto.randomUUID(),
    walletId,
    setId: isNew ? crypto.randomUUID() : setId,
    epoch: isNew ? 0 : epoch + 1,
    curve,
    ...(isNew ? additionalSharing(wallet.scheme) : SCHEMES[wallet.scheme]),
  }
  try {
    await learnAccount(job, wallet, share)
    const made = await reshareWithRelays({
      relay: frame.relay,
      keys: await frame.relayKeys(),
      authority,
      device: { key: keyPair.privateKey, walletId, setId: next.setId, epoch: 0 },
      share,
      purpose: isNew ? 'addDevice' : 'replaceDevice',
      deviceKey: keyPair,
      newScheme: wallet.scheme,
      next,
      policyHash: await readPolicyHash(job, wallet.address, share.set),
    })
    return { ...made, next }
  } finally {
    eraseShare(...shares)
  }
}

/** Stores the new share on disk before the commit. A share that was already there is kept aside. */
async function keep(
  { frame, user }: Job,
  { next, transcript, proofs, expiresAt }: Reshared & { readonly next: SetPlan },
  [ownShare, ...backupShares]: readonly KeyShare[],
  details: {
    readonly opened: Opened
    readonly mode: Mode
    readonly wallet: KnownWallet
    readonly keyPair: CryptoKeyPair
    readonly payload: Restore
  },
): Promise<KeptSet> {
  if (!ownShare) throw new RangeError('a restore without the device')
  const { opened, mode, wallet, keyPair, payload } = details
  const { walletId, setId, ceremonyId } = next
  const { backup, password } = opened
  const { sealedSeed } = backup
  const owner = { user, walletId, setId }
  const { argon2id } = frame
  const [envelope, share] = await Promise.all([
    sealEnvelope({ shares: backupShares, sealedSeed, password, argon2id }),
    sealShare(frame, owner, ownShare, payload.password),
  ])
  eraseShare(ownShare)
  // The backup that was just read stays current until a replacement creates another one.
  const read = keptAt(payload.backup, backup.header.set.epoch, frame.clock.now())
  const stored: KeptSet = {
    ...owner,
    kind: mode === 'add-device' ? 'device' : 'primary',
    address: wallet.address,
    chainName: wallet.chainName,
    scheme: wallet.scheme,
    share,
    ...(sealedSeed && { sealedSeed }),
    ...(envelope && { envelope }),
    backups: mode === 'add-device' ? [read] : [],
    deviceKey: keyPair,
    creation: {
      operation: 'restoreBackup',
      path: `/wallets/${walletId}/reshare/commit`,
      body: { ceremonyId, transcript, proofs },
      expiresAt,
    },
    createdAt: frame.clock.now(),
  }
  await frame.store.put(stored)
  return stored
}

/** Reads the wallet from the relay, and rejects a restore that is not possible here. */
async function prepare({ frame, user }: Job, address: string, mode: Mode) {
  const listed = await frame.store.known(user, address)
  if (!listed) throw new KeybayError(accountNotFound)
  const wallet = await verifyWallet(frame, user, listed)
  const primary = wallet.sets.find(({ kind }) => kind === 'primary')
  if (!primary) throw new KeybayError(relayAnswerWrong, { detail: 'a wallet without a primary set' })
  if (!SCHEMES[wallet.scheme].parties.includes('B1')) throw frameError('frame_backup_none')
  const here = await frame.store.get(user, primary.setId)
  // A record older than the share here does not make that share replaceable.
  const signsHere = here && !here.creation && !here.retired
  const isHere = signsHere && (here.share.epoch > primary.epoch || isOfPackage(here.share, primary.claims.pub))
  if (mode === 'replace-device' && isHere) throw frameError('frame_device_here')
  return { wallet, primary }
}

/**
 * @throws KeybayError `consent_required` in a hidden frame; `account_not_found` before the wallets were listed here;
 *   `frame_backup_…` and `mpc_backup_…` for a file that does not fit, `frame_device_here`, `user_rejected`
 */
export async function restoreBackup(started: Job, payload: Restore): Promise<WalletAnswer> {
  const { frame, context } = started
  const { accountAddress: address, mode = 'add-device', backup } = payload
  const { wallet, primary } = await prepare(started, address, mode)
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  await frame.store.assertDurable()
  const { title, sentence, action } = WORDS[mode]
  const factor = await started.factor()
  if (!factor) await prepareBackup(started, backup, [backup])
  const about = { address, factor, signal: context.signal }
  const question = { title, sentences: [sentence], action }
  const job = provedBy(started, await agreeTo(frame.screen, question, about))
  const opened = await openFile(job, payload, wallet, primary)
  frame.screen.busy('Creating a key share for this browser…')
  const steps = mode === 'add-device' ? 2 : 3
  context.progress({ step: 'deal', number: 1, of: steps })
  const keyPair = await newDeviceKey()
  const made = await deal(job, opened.backup, { mode, wallet, keyPair })
  if (mode === 'replace-device') context.progress({ step: 'backup', number: 2, of: steps })
  const stored = await keep(job, made, made.shares, { opened, mode, wallet, keyPair, payload })
  context.progress({ step: 'confirm', number: steps, of: steps })
  if (mode === 'add-device')
    return { wallet: (await finishCreation(job, stored, { target: undefined, password: undefined })).wallet }
  // The host supplied the old backup. The new one must be read back from the place where it is stored.
  const { envelope: old, ...target } = backup
  const fresh = old ? { ...job, context: { ...context } } : job
  const { wallet: restored } = await finishCreation(fresh, stored, { target, password: opened.password })
  await eraseOldCopies(fresh, stored, stored.share)
  return { wallet: restored }
}

export function restoreFromGoogleDrive(job: Job, payload: OnAccount): Promise<WalletAnswer> {
  return restoreBackup(job, { ...payload, backup: { provider: 'googleDrive' } })
}
