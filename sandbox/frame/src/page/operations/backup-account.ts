/**
 * Compares the account of a new backup with the previous one: in this browser's storage, and in R1's signed record,
 * which every browser of the user reads.
 */
import { type BackupProvider, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import type { KeyShare } from '@keybay/waas/mpc'
import { oneWallet, type RecordedAccount } from '@keybay/waas/relay-client'
import {
  deriveSealingKey,
  hashAccount,
  newAccountKey,
  openAccountKey,
  sealAccountKey,
} from '../backup/recorded-account.js'
import type { BackupAccount } from '../backup/store.js'
import { getDevice, type Job } from '../core/job.js'
import { type KnownWallet, readWallet, verifyWallet } from '../core/views.js'
import { relayAnswerWrong } from '../errors/errors.js'
import type { KeptSet } from '../store/kept.js'

interface Candidate {
  readonly walletId: string
  readonly provider: BackupProvider
  readonly account: BackupAccount
}

/** Returns the account in the newest record of a wallet. */
function getRecorded({ sets }: Pick<KnownWallet, 'sets'>): RecordedAccount | undefined {
  return sets.map(({ claims }) => claims).toSorted((a, b) => b.gen - a.gen)[0]?.backup
}

async function readRecorded(job: Job, walletId: string): Promise<RecordedAccount | undefined> {
  try {
    return getRecorded(await readWallet(job, walletId))
  } catch (error) {
    // A creation that was interrupted has no record yet.
    if (error instanceof KeybayError && error.code === 'wallet_not_found') return undefined
    throw error
  }
}

/**
 * Returns what to tell the user about the previous accounts, or undefined if this account is the agreed one.
 * @throws KeybayError if the relay does not show its record: an account counts as agreed only by comparison with it
 */
export async function compareAccount(
  job: Job,
  { walletId, provider, account }: Candidate,
): Promise<string | undefined> {
  const recorded = await readRecorded(job, walletId)
  const known = await job.frame.store.backupAccount(job.user, walletId)
  const here = known?.account
  const isHere = here?.provider === provider && here.id === account.id
  if (here && !isHere) return `So far they went to another account: ${here.name}.`
  if (!recorded) return isHere ? undefined : ''
  if (!known) return 'This browser can’t tell whether they went to this account so far.'
  const isRecorded = recorded.account === (await hashAccount(known.key, { walletId, provider, id: account.id }))
  return isRecorded ? undefined : 'So far they went to another account.'
}

/** Operations in which the user has agreed to an account, or a comparison has. */
const agreed = new WeakMap<Job['context'], Candidate['account']>()

export function isAgreed({ context }: Job, account: BackupAccount): boolean {
  return agreed.get(context)?.id === account.id
}

export function setAgreed({ context }: Job, account: BackupAccount): void {
  agreed.set(context, account)
}

/** Keeps the account that the user agreed to in this operation, before a backup goes there. */
export async function keepAccount({ frame, user, context }: Job, walletId: string, provider: BackupProvider) {
  const account = agreed.get(context)
  if (!account) return
  const known = await frame.store.backupAccount(user, walletId)
  const next = { ...known, key: known?.key ?? newAccountKey(), account: { ...account, provider } }
  await frame.store.keepBackupAccount(user, walletId, next)
}

/** Seals the key of the account's hash for the holder of a new backup. @param set of the backup, as bytes */
export async function sealForBackup({ frame, user }: Job, walletId: string, set: Uint8Array, sealingKey: CryptoKey) {
  const known = await frame.store.backupAccount(user, walletId)
  const pub = toBase64Url(set)
  if (!known || known.sealed?.pub === pub) return
  const sealed = { pub, key: await sealAccountKey(sealingKey, known.key) }
  await frame.store.keepBackupAccount(user, walletId, { ...known, sealed })
}

/** Opens the key of the recorded account's hash with the share of a backup, in a browser that restores the wallet. */
export async function learnAccount({ frame, user }: Job, wallet: KnownWallet, share: KeyShare): Promise<void> {
  const recorded = getRecorded(wallet)
  const key = recorded && (await openAccountKey(await deriveSealingKey(share), recorded.key))
  if (!key) return
  const { account } = (await frame.store.backupAccount(user, wallet.walletId)) ?? {}
  await frame.store.keepBackupAccount(user, wallet.walletId, { key, ...(account && { account }) })
}

/**
 * Has R1 write the account of a verified backup into its record, if the record names another one or none.
 * @param wallet as R1's last answer shows it
 * @throws KeybayError of the relay; `frame_relay_answer_wrong`
 */
export async function recordAccount(job: Job, kept: KeptSet, wallet: KnownWallet): Promise<void> {
  const { frame, user, authority, context } = job
  const { walletId, setId, share } = kept
  const known = await frame.store.backupAccount(user, walletId)
  if (known?.sealed?.pub !== toBase64Url(share.set)) return
  const recorded = getRecorded(wallet)
  const { key, account: here, sealed } = known
  const isOwn = here && (agreed.has(context) || !recorded)
  const account = isOwn ? await hashAccount(key, { ...here, walletId }) : recorded?.account
  if (account === undefined || (recorded?.account === account && recorded.key === sealed.key)) return
  const isOther = recorded !== undefined && recorded.account !== account
  const answer = await frame.relay.post({
    path: `/wallets/${walletId}/backup-account`,
    body: { setId, account, key: sealed.key },
    answer: oneWallet,
    authority,
    device: { ...getDevice(kept), ...(isOther && { consent: true }) },
  })
  const now = getRecorded(await verifyWallet(frame, user, answer.wallet))
  if (now?.account !== account || now.key !== sealed.key)
    throw new KeybayError(relayAnswerWrong, { detail: 'the record of another backup account' })
}
