/** Opens the store of a provider with the user's access, and stores an envelope there, read back and checked. */
import { type BackupProvider, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import type { BackupSecret } from '@keybay/waas/mpc'
import { heldPackages } from '@keybay/waas/mpc/lifecycle'
import { type BackupTarget, consentRequired } from '@keybay/waas/protocol'
import { withDeadline } from '@keybay/waas/relay-client'
import { askAccount } from '../backup/ask-account.js'
import type { Fetch } from '../backup/drives/http.js'
import type { ProductApiAccess, ProductApiUse } from '../backup/drives/product-api.js'
import { checkEnvelope } from '../backup/envelope.js'
import { host } from '../backup/host-keeper.js'
import { type BackupStore, backupName } from '../backup/store.js'
import { external } from '../backup/stores/external.js'
import type { Frame } from '../core/frame.js'
import type { Job } from '../core/job.js'
import { frameError } from '../errors/errors.js'
import type { KeptBackup, KeptSet, KeptShare } from '../store/kept.js'
import { compareAccount, isAgreed, keepAccount, sealForBackup, setAgreed } from './backup-account.js'

/** Returns the providers that this frame's host configured, in the order in which users are asked. */
export function getProviders({ configuration }: Pick<Frame, 'configuration'>): readonly BackupProvider[] {
  const { googleDrive, icloud } = configuration.backup ?? {}
  return [
    'external',
    ...(googleDrive ? ['googleDrive' as const] : []),
    ...(icloud ? ['icloud' as const] : []),
    'dynamic',
  ]
}

/** @throws KeybayError `frame_backup_provider` if the frame's host did not configure the provider */
export function assertProvider(frame: Frame, target: Pick<BackupTarget, 'provider'> | undefined): void {
  if (target && !getProviders(frame).includes(target.provider)) throw frameError('frame_backup_provider')
}

/** Asks the page to open the provider's window, and waits for its access token. */
function granted({ frame, context }: Job, state: string, url: string): Promise<string> {
  frame.screen.busy('Waiting for access to your drive…')
  const token = frame.grants.token(state, context.signal)
  context.progress({ step: 'grant', number: 1, of: 1, url })
  return token.finally(() => context.progress({ step: 'granted', number: 1, of: 1 }))
}

/** @throws KeybayError `frame_backup_unreachable` */
function loadDrives({ frame }: Job) {
  return frame.loadDrives().catch((cause: unknown) => {
    throw frameError('frame_backup_unreachable', { cause })
  })
}

type Place = Pick<BackupTarget, 'provider' | 'keeper' | 'envelope'>
type Open = (job: Job, target: Place) => Promise<BackupStore> | BackupStore

function reach(...[url, init]: Parameters<typeof fetch>) {
  return fetch(url, { ...init, signal: withDeadline(init?.signal) })
}

function getApiAccess({ frame, authority, context, user }: Job): ProductApiAccess {
  const { baseApiUrl, environmentId } = frame.configuration
  const send: Fetch = (url, init) => frame.apiFetch(user, url, init)
  return { baseApiUrl, environmentId, authority, fetch: send, signal: context.signal }
}

/** Operations that the product API has admitted. */
const admitted = new WeakSet<Job['context']>()
/** Registers this frame at the product API, once per operation. @throws KeybayError `reauthentication_required` */
async function admitFrame(job: Job, use: ProductApiUse): Promise<void> {
  if (admitted.has(job.context)) return
  const { canEnterFactor, registerFrame } = await loadDrives(job)
  await registerFrame(getApiAccess(job), use).catch((error: unknown) => {
    throw !job.frame.screen.visible && canEnterFactor(error) ? new KeybayError(consentRequired) : error
  })
  admitted.add(job.context)
}

/**
 * Has the product API admit this frame before the user enters, keeps or agrees to anything, because the user may have to
 * sign in again. Afterwards the whole operation goes through, however long the user takes. A hidden frame leaves it to the
 * visible one if a second factor, which may be asked for there, would do.
 * @param target place of a new backup
 * @param backups known backups: copies at the product API are read, or erased once they are old
 * @throws KeybayError `reauthentication_required`, `consent_required`; `frame_backup_unreachable` if the new backup goes there
 */
export async function prepareBackup(
  job: Job,
  target: Pick<Place, 'provider'> | undefined,
  backups: readonly Pick<Place, 'provider'>[] = [],
): Promise<void> {
  const isTarget = target?.provider === 'dynamic'
  const hasCopies = backups.some(({ provider }) => provider === 'dynamic')
  if (!isTarget && !hasCopies) return
  await admitFrame(job, hasCopies ? 'read-or-erase' : 'keep').catch((error: unknown) => {
    const needsUser = error instanceof KeybayError && /^(consent|reauthentication)_required$/.test(error.code)
    // Old copies at a service that is away are erased another time.
    if (isTarget || needsUser) throw error
  })
}

const OPEN: { readonly [P in BackupProvider]: Open } = {
  async googleDrive(job) {
    const drive = job.frame.configuration.backup?.googleDrive
    if (!drive) throw frameError('frame_backup_provider')
    const { cloudStore, DRIVE_SCOPE, googleDrive, withQuery } = await loadDrives(job)
    const { signal } = job.context
    const state = crypto.randomUUID()
    const { driveAccounts } = job
    const address = withQuery(drive.authorizeUrl, {
      client_id: drive.clientId,
      redirect_uri: job.frame.grants.returnUrl,
      response_type: 'token',
      scope: DRIVE_SCOPE,
      prompt: 'select_account',
      login_hint: driveAccounts[0],
      state,
    })
    const token = await granted(job, state, address)
    return cloudStore(googleDrive({ apiUrl: drive.apiUrl, token, fetch: reach, signal }))
  },
  async icloud(job) {
    const container = job.frame.configuration.backup?.icloud
    if (!container) throw frameError('frame_backup_provider')
    const { cloudStore, iCloud, iCloudSignIn } = await loadDrives(job)
    const { signal } = job.context
    const state = crypto.randomUUID()
    const to = await iCloudSignIn(container, reach, signal)
    // Apple returns no state, so the return page first keeps it in its window.
    const fragment = new URLSearchParams({ keep: state, to })
    const token = await granted(job, state, `${job.frame.grants.returnUrl}#${fragment}`)
    return cloudStore(iCloud({ ...container, token, fetch: reach, signal }))
  },
  async dynamic(job) {
    await admitFrame(job, 'keep')
    const { cloudStore, productApi } = await loadDrives(job)
    return cloudStore(productApi(getApiAccess(job)))
  },
  external: ({ frame: { screen, downloads, hostKeeper }, context }, { envelope: suppliedEnvelope, keeper }) =>
    keeper === 'host' && suppliedEnvelope === undefined
      ? host(hostKeeper.of(context))
      : external({ screen, downloads, given: suppliedEnvelope, signal: context.signal }),
}

const opened = new WeakMap<Job['context'], Map<string, Promise<BackupStore>>>()
/**
 * Opens the store of a provider once per operation, so that the user grants access only once, as early as possible.
 * @throws KeybayError `frame_backup_provider`, `frame_backup_denied`, `frame_backup_unreachable`, `aborted`
 */
export function openStore(job: Job, target: Place): Promise<BackupStore> {
  assertProvider(job.frame, target)
  const stores = opened.get(job.context) ?? new Map<string, Promise<BackupStore>>()
  const place = `${target.provider} ${target.keeper}`
  opened.set(job.context, stores)
  const store = stores.get(place) ?? Promise.resolve(OPEN[target.provider](job, target))
  stores.set(place, store)
  store.catch(() => stores.delete(place))
  return store
}

/** Returns true if a backup at this provider needs the user's agreement to an account, and so the visible frame. */
export async function needsAccount({ frame, user }: Job, { provider }: Place, walletId?: string): Promise<boolean> {
  if (provider !== 'googleDrive' && provider !== 'icloud') return false
  return walletId === undefined || (await frame.store.backupAccount(user, walletId))?.account?.provider !== provider
}

/**
 * Opens a provider for a new backup. The user agrees to its account once, and to each change: the page opens the
 * provider's window, and could return with another account than the user's.
 * @param walletId undefined before the wallet exists
 * @throws KeybayError as `openStore`; `consent_required`, `user_rejected`, `frame_backup_other_drive`
 */
export async function openForBackup(job: Job, target: Place, walletId?: string): Promise<BackupStore> {
  const { frame, context, driveAccounts, authority } = job
  const { provider } = target
  assertProvider(frame, target)
  // Check this first. Otherwise the user would have to grant access twice.
  if (!frame.screen.visible && (await needsAccount(job, target, walletId))) throw new KeybayError(consentRequired)
  const store = await openStore(job, target)
  const account = await store.account?.()
  if (!account || isAgreed(job, account)) return store
  // A restore may find its backup in the only drive that the user can still access.
  const isOther = account.email !== undefined && driveAccounts.length > 0 && !driveAccounts.includes(account.email)
  if (isOther && authority.operation !== 'replaceDevice') throw frameError('frame_backup_other_drive')
  const warning = walletId === undefined ? '' : await compareAccount(job, { walletId, provider, account })
  if (warning !== undefined) await askAccount(frame.screen, { provider, account, warning }, context.signal)
  setAgreed(job, account)
  return store
}

export interface BackupStep {
  readonly walletId: string
  readonly envelope: Uint8Array
  /** Expected share set, as bytes. */
  readonly set: Uint8Array
  readonly target: BackupTarget
  readonly password: BackupSecret
  /** True if the user already has the file, so that only the check remains. */
  readonly delivered: boolean
}

/** Returns the entry of a verified backup. */
export function keptAt({ provider, keeper }: Place, epoch: number, at: number): KeptBackup {
  return { provider, ...(keeper && { keeper }), epoch, at }
}

const leftovers = new WeakMap<Job['context'], () => Promise<void>>()

/**
 * Stores the envelope, reads it back and checks it. Nothing may depend on the backup before that.
 * @throws KeybayError `consent_required` in a hidden frame once a file is delivered: the user chooses it again in the
 *   visible one; `frame_backup_wrong`, `frame_backup_…`, `user_rejected`
 */
export async function backUp(job: Job, step: BackupStep): Promise<void> {
  const { walletId, envelope, set, target, password, delivered } = step
  const store = await openForBackup(job, target, walletId)
  if (store.account) await keepAccount(job, walletId, target.provider)
  // A delivered backup is a file that the user already has, unless the host keeps it.
  const isFile = target.provider === 'external' && target.keeper !== 'host'
  if (!delivered || !isFile) await store.put(envelope)
  const { argon2id } = job.frame
  const wanted = { walletId, epoch: backupName(envelope).epoch, set }
  const { id, value } = await store.read(wanted, copy => checkEnvelope(copy, { set, password, argon2id }))
  await sealForBackup(job, walletId, set, value)
  leftovers.set(job.context, () => store.keepOnly({ ...wanted, id }))
}

/**
 * Runs `erase` if this browser still holds the share of a backup, and lets no tab erase that share before it ends: share
 * and old backups together may be all that the user has, whatever R1 says. Ignores failures, because an old copy opens
 * no new share, and the next backup or verification erases it.
 * @param set of the backup and the share, as bytes
 */
export async function eraseWhileHeld(
  { frame, user, context }: Job,
  { walletId, setId }: Pick<KeptSet, 'walletId' | 'setId'>,
  set: Uint8Array,
  erase: () => Promise<void>,
): Promise<void> {
  const eraseIfHeld = async () => {
    const stored = await frame.store.get(user, setId)
    if (stored && heldPackages(stored).includes(toBase64Url(set))) await erase()
  }
  await frame.locks.reading(walletId, eraseIfHeld, context.signal).catch(() => {})
}

/** Erases older copies at the place of the new backup, and at the product API, which needs no window. */
export function eraseOldCopies(job: Job, kept: KeptSet, { set, epoch }: KeptShare): Promise<void> {
  const { walletId, backups } = kept
  return eraseWhileHeld(job, kept, set, async () => {
    await leftovers
      .get(job.context)?.()
      .catch(() => {})
    if (!backups.some(({ provider }) => provider === 'dynamic')) return
    const service = await openStore(job, { provider: 'dynamic' })
    await service.eraseOlder?.({ walletId, epoch })
  })
}
