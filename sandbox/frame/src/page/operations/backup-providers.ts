/** Opens the store of a provider with the user's access, and stores an envelope there, read back and checked. */
import type { BackupProvider } from '@keybay/kernel/spec'
import type { BackupSecret } from '@keybay/waas/mpc'
import type { BackupTarget } from '@keybay/waas/protocol'
import { checkEnvelope } from '../backup/envelope.js'
import { ICLOUD_STATE } from '../backup/grants.js'
import { host } from '../backup/host-keeper.js'
import { withQuery } from '../backup/http.js'
import { type BackupStore, backupName, cloudStore } from '../backup/store.js'
import { external } from '../backup/stores/external.js'
import { DRIVE_SCOPE, googleDrive } from '../backup/stores/google-drive.js'
import { iCloud, iCloudSignIn } from '../backup/stores/icloud.js'
import { productApi } from '../backup/stores/product-api.js'
import type { Frame } from '../core/frame.js'
import type { Job } from '../core/job.js'
import { frameError } from '../errors/errors.js'
import type { KeptBackup } from '../store/kept.js'

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

/** Relay operations that only read a backup: restores, and the list, which is all that a verification needs. */
const READING = /Device$|^get/

type Place = Pick<BackupTarget, 'provider' | 'keeper' | 'envelope'>
type Open = (job: Job, target: Place) => Promise<BackupStore> | BackupStore

function reach(...request: Parameters<typeof fetch>) {
  return fetch(...request)
}

const OPEN: { readonly [P in BackupProvider]: Open } = {
  async googleDrive(job) {
    const drive = job.frame.configuration.backup?.googleDrive
    if (!drive) throw frameError('frame_backup_provider')
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
    const store = googleDrive({ apiUrl: drive.apiUrl, token, fetch: reach, signal })
    // Reading accepts any drive, because it may be the only one that the user can still access.
    if (driveAccounts.length > 0 && !READING.test(job.authority.operation)) {
      const account = (await store.owner())?.toLowerCase()
      if (account && !driveAccounts.includes(account)) throw frameError('frame_backup_other_drive')
    }
    return cloudStore(store)
  },
  async icloud(job) {
    const container = job.frame.configuration.backup?.icloud
    if (!container) throw frameError('frame_backup_provider')
    const { signal } = job.context
    const token = await granted(job, ICLOUD_STATE, await iCloudSignIn(container, reach, signal))
    return cloudStore(iCloud({ ...container, token, fetch: reach, signal }))
  },
  dynamic({ frame, authority, context: { signal } }) {
    const { baseApiUrl, environmentId } = frame.configuration
    return cloudStore(productApi({ baseApiUrl, environmentId, authority, fetch: reach, signal }))
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
  const store = await openStore(job, target)
  // A delivered backup is a file that the user already has, unless the host keeps it.
  if (!delivered || target.keeper === 'host') await store.put(envelope)
  const { argon2id } = job.frame
  const backupRef = { walletId, epoch: backupName(envelope).epoch }
  const { id } = await store.read(backupRef, copy => checkEnvelope(copy, { set, password, argon2id }))
  leftovers.set(job.context, () => store.keepOnly(backupRef, id))
}

/** Erases older copies after the relay's commit. Ignores failures, because an old copy opens no new share. */
export async function eraseOldCopies({ context }: Job): Promise<void> {
  await leftovers
    .get(context)?.()
    .catch(() => {})
}
