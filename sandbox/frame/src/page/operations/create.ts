/** Creates a wallet: made with the relays, stored here, backed up, and only then finished. */
import { KeybayError } from '@keybay/kernel/spec'
import { type BackupSecret, eraseShare, SCHEMES } from '@keybay/waas/mpc'
import {
  assertBackupFits,
  type BackupTarget,
  type CreatedWallet,
  type ImportedKey,
  idempotencyKeyReused,
  type NewWallet,
} from '@keybay/waas/protocol'
import { newDeviceKey, publicJwk } from '@keybay/waas/relay-client'
import { askBackupPlace } from '../backup/ask-place.js'
import { sealEnvelope } from '../backup/envelope.js'
import { unlockText } from '../backup/recovery-code.js'
import { newSecret } from '../backup/secret.js'
import { type Creation, createByDkg, createExportable, createImported, type MadeWallet } from '../ceremony/create.js'
import { addressing, openChain, openWindow } from '../core/chain-kit.js'
import type { Frame } from '../core/frame.js'
import { assertSolana, type Job } from '../core/job.js'
import { sealShare } from '../store/keep.js'
import type { KeptSet, PendingCreation } from '../store/kept.js'
import { askNew } from './ask-new.js'
import { assertProvider, getProviders, openForBackup, prepareBackup } from './backup-providers.js'
import { finishCreation } from './finish.js'
import { addressOfKey, readSeed, typedSeedReader } from './key-text.js'

type Make = (creation: Creation) => Promise<MadeWallet>

export function hasBackup(scheme: NewWallet['thresholdSignatureScheme']): boolean {
  return SCHEMES[scheme].parties.some(party => party === 'B1')
}

/** Request for a new wallet. Only an import from the page contains a private key. */
type Given = CreatedWallet & Pick<ImportedKey, 'privateKey'>

type Sealing = Pick<NewWallet, 'backup' | 'password'>
/** Returns the secret of the request. The wallet's password never seals a backup at the product API's operator. */
export function givenSecret({ backup, password }: Sealing): string | undefined {
  const secret = backup?.password ?? (backup?.provider === 'dynamic' ? undefined : password)
  return secret === undefined ? undefined : unlockText(secret)
}

/** Returns the secret that seals the backup. @throws as `newSecret` */
export function backupSecret(frame: Frame, payload: Sealing, signal: AbortSignal): Promise<BackupSecret> {
  return newSecret(askNew(frame), payload.backup, givenSecret(payload), signal)
}

/** Places that the user chose, by request: once the user has signed in again, the page repeats it in the same window. */
const chosen = new Map<string, BackupTarget>()

/** Returns the place of the backup: from the request, or chosen by the user. @throws KeybayError as `askBackupPlace` */
async function placeFor({ frame, context, user }: Job, request: NewWallet): Promise<BackupTarget | undefined> {
  const { thresholdSignatureScheme, backup, idempotencyKey } = request
  if (backup || !hasBackup(thresholdSignatureScheme)) return backup
  const id = JSON.stringify([user, idempotencyKey])
  const place = chosen.get(id) ?? (await askBackupPlace(frame.screen, getProviders(frame), context.signal))
  if (idempotencyKey !== undefined) chosen.set(id, place)
  return place
}

function keptPlace({ creation }: KeptSet): BackupTarget | undefined {
  return creation?.place && { provider: creation.place }
}

async function create(job: Job, request: Given, operation: PendingCreation['operation'], prepare: () => Promise<Make>) {
  const { frame, authority, context } = job
  const scheme = request.thresholdSignatureScheme
  assertBackupFits(scheme, request.backup)
  assertProvider(frame, request.backup)
  const resumed = await interrupted(job, request, operation)
  if (resumed) {
    const isSamePlace = request.backup?.provider === resumed.creation?.place
    const payload = { ...request, backup: isSamePlace ? request.backup : keptPlace(resumed) }
    await prepareBackup(job, payload.backup)
    return finishCreation(job, resumed, { target: payload.backup, password: givenSecret(payload) })
  }
  await frame.store.assertDurable()
  const payload = { ...request, backup: await placeFor(job, request) }
  await prepareBackup(job, payload.backup)
  const password = hasBackup(scheme) ? await backupSecret(frame, payload, context.signal) : undefined
  // Request access to a drive while the user is present, and before anything is created.
  if (payload.backup && password !== undefined) await openForBackup(job, payload.backup)
  const make = await prepare()
  frame.screen.busy('Creating your wallet…')
  const keyPair = await newDeviceKey()
  const ids = { walletId: crypto.randomUUID(), setId: crypto.randomUUID() }
  context.progress({ step: 'deal', number: 1, of: 3 })
  const made = await make({
    relay: frame.relay,
    keys: await frame.relayKeys(),
    authority,
    device: { ...ids, key: keyPair.privateKey, epoch: 0 },
    deviceKey: await publicJwk(keyPair),
    scheme,
    chainName: payload.chainName,
    first: request.first,
  })
  context.progress({ step: 'backup', number: 2, of: 3 })
  const stored = await keep(job, { made, ids, keyPair, payload, operation, password })
  context.progress({ step: 'confirm', number: 3, of: 3 })
  return finishCreation(job, stored, { target: payload.backup, password })
}

interface Made {
  readonly made: MadeWallet
  readonly ids: Pick<KeptSet, 'walletId' | 'setId'>
  readonly keyPair: CryptoKeyPair
  readonly payload: NewWallet
  readonly operation: PendingCreation['operation']
  readonly password: BackupSecret | undefined
}
/** Stores the device's share, and the backup's share in its envelope, on disk. Neither exists anywhere else then. */
async function keep({ frame, user }: Job, { made, ids, keyPair, payload, operation, password }: Made) {
  const [share, ...backupShares] = made.shares
  if (!share) throw new RangeError('a ceremony without the device')
  const { sealedSeed, finish, expiresAt } = made
  const owner = { user, ...ids }
  const { argon2id } = frame
  // Run both key derivations in parallel, so that the user waits only once.
  const [envelope, keptShare] = await Promise.all([
    sealEnvelope({ shares: backupShares, sealedSeed, password: password ?? '', argon2id }),
    sealShare(frame, owner, share, payload.password),
  ])
  const stored: KeptSet = {
    ...owner,
    kind: 'primary',
    address: (await addressing(frame, payload.chainName))(share.set),
    chainName: payload.chainName,
    scheme: payload.thresholdSignatureScheme,
    share: keptShare,
    ...(sealedSeed && { sealedSeed }),
    ...(envelope && { envelope }),
    backups: [],
    deviceKey: keyPair,
    creation: { key: payload.idempotencyKey, operation, place: payload.backup?.provider, ...finish, expiresAt },
    createdAt: frame.clock.now(),
  }
  await frame.store.put(stored)
  eraseShare(share)
  return stored
}

/**
 * Finds the interrupted creation of the same request: its ceremony is over and waits for the backup or the relay. If
 * the request names no place, or is for a first wallet, the place that the user chose stays.
 * @throws KeybayError `idempotency_key_reused` for another chain, scheme or private key, or a backup in another place,
 *   for which the secret of the waiting backup may be too weak
 */
async function interrupted(
  { frame, user }: Job,
  { idempotencyKey, chainName, thresholdSignatureScheme, backup, privateKey, first }: Given,
  operation: PendingCreation['operation'],
): Promise<KeptSet | undefined> {
  if (idempotencyKey === undefined) return undefined
  const all = await frame.store.list(user)
  const match = all.find(
    ({ creation, retired }) =>
      creation?.key === idempotencyKey &&
      creation.operation === operation &&
      creation.expiresAt > frame.clock.now() &&
      !retired,
  )
  const isOther =
    match &&
    (match.chainName !== chainName ||
      match.scheme !== thresholdSignatureScheme ||
      (!first && backup && match.creation?.place !== backup.provider) ||
      (privateKey !== undefined && match.address !== addressOfKey(privateKey)))
  if (isOther) throw new KeybayError(idempotencyKeyReused)
  return match
}

/** Creates a wallet in three round trips. The relay's keys are already loaded. */
export async function createWalletAccount(job: Job, payload: CreatedWallet) {
  const { frame, user, context } = job
  const { chainName, exportable = true, first } = payload
  const kit = await openChain(frame, chainName)
  const make = exportable && !kit ? createExportable : createByDkg
  const run = () => create(job, payload, 'createWalletAccount', async () => make)
  // In the background, another tab waits for this one: it then continues the creation, or the relay refuses a second wallet.
  return first && !frame.screen.visible ? frame.locks.changing(`first ${user}`, run, context.signal) : run()
}

/** Imports a private key. The user enters it in the visible frame, unless the page sends it. */
export async function importPrivateKey(job: Job, payload: ImportedKey) {
  const { frame, context } = job
  assertSolana(payload.chainName)
  return create(job, payload, 'importPrivateKey', async () => {
    const { privateKey } = payload
    const ask = async () => (await openWindow(frame)).askKey(frame.screen, typedSeedReader(), context.signal)
    const seed = privateKey === undefined ? await ask() : readSeed(privateKey)
    return creation => createImported(creation, seed, frame.clock.now())
  })
}
