/** Builds the page's view of a wallet from the relay's data and the shares that this frame holds. */
import { fromBase64Url, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { codecs, decode, groupKey } from '@keybay/waas/mpc'
import { isOfPackage } from '@keybay/waas/mpc/lifecycle'
import type { BackupStatus, Policy, WaasWallet } from '@keybay/waas/protocol'
import {
  hashPolicy,
  oneWallet,
  type RecordClaims,
  type RelaySet,
  type RelayWallet,
  recordSchema,
  verifyJws,
} from '@keybay/waas/relay-client'
import * as v from 'valibot'
import type { FrameConfiguration } from '../../configuration/frame.js'
import { relayAnswerWrong } from '../errors/errors.js'
import type { KeptSet } from '../store/kept.js'
import { addressing } from './chain-kit.js'
import type { Frame } from './frame.js'
import type { Job } from './job.js'

export interface KnownSet extends RelaySet {
  readonly claims: RecordClaims
}
export interface KnownWallet extends Omit<RelayWallet, 'sets'> {
  readonly sets: readonly KnownSet[]
}

/**
 * Verifies R1's signed record of a share set with the keys that the frame's host pinned.
 * @param about the expected subject of the record
 * @throws KeybayError `frame_relay_answer_wrong`
 */
async function readRecord(
  text: string,
  configuration: FrameConfiguration,
  about: { readonly user: string; readonly setId: string },
): Promise<RecordClaims> {
  const [first] = configuration.relays
  const claims = await verifyJws(text, 'keybay-record+jwt', first?.recordKeys ?? [])
  const { success, output } = v.safeParse(recordSchema, claims)
  if (!success) throw new KeybayError(relayAnswerWrong, { detail: 'the record' })
  if (output.env !== configuration.environmentId || output.sub !== about.user || output.set !== about.setId)
    throw new KeybayError(relayAnswerWrong, { detail: 'the record of something else' })
  return output
}

/**
 * Verifies every record with the keys that the frame's host pinned, and compares the relay's other data with it.
 * @throws KeybayError `frame_relay_answer_wrong`
 */
export async function verifyWallet(frame: Frame, user: string, wallet: RelayWallet): Promise<KnownWallet> {
  // Load the chain first, because the sets may be of another curve.
  const addressOf = await addressing(frame, wallet.chainName)
  const sets = await Promise.all(
    wallet.sets.map(async set => ({
      ...set,
      claims: await readRecord(set.record, frame.configuration, { user, setId: set.setId }),
    })),
  )
  for (const { claims, epoch, status, kind, policy } of sets) {
    const shareSet = decode(codecs.shareSet, fromBase64Url(claims.pub))
    const same = claims.wallet === wallet.walletId && claims.address === wallet.address && claims.kind === kind
    if (toBase64Url(await hashPolicy(policy)) !== claims.policy)
      throw new KeybayError(relayAnswerWrong, { detail: 'the policy of another record' })
    if (!same || claims.epoch !== epoch || claims.status !== status || addressOf(shareSet) !== wallet.address)
      throw new KeybayError(relayAnswerWrong, { detail: 'the record of another wallet' })
  }
  return { ...wallet, sets }
}

type Asking = Pick<Job, 'frame' | 'user' | 'authority'>
type SetIds = Pick<KeptSet, 'walletId' | 'setId'>

/** Requests a wallet with its signed records. @throws KeybayError of the relay; `frame_relay_answer_wrong` */
export async function readWallet({ frame, user, authority }: Asking, walletId: string): Promise<KnownWallet> {
  const { wallet } = await frame.relay.post({
    path: `/wallets/${walletId}/state`,
    body: {},
    answer: oneWallet,
    authority,
  })
  return verifyWallet(frame, user, wallet)
}

/** Returns the hash of a set's policy: of the one that this browser has listed, or else of the relay's record. */
export async function readPolicyHash(job: Asking, address: string, { walletId, setId }: SetIds): Promise<Uint8Array> {
  const isSet = (known: RelaySet) => known.setId === setId
  const listed = (await job.frame.store.known(job.user, address))?.sets.find(isSet)
  const set = listed ?? (await readWallet(job, walletId)).sets.find(isSet)
  if (!set) throw new KeybayError(relayAnswerWrong, { detail: 'a wallet without the set' })
  return hashPolicy(set.policy)
}

function getBackup(scheme: RelayWallet['scheme'], primary: KnownSet, stored: KeptSet | undefined): BackupStatus {
  const backups = stored?.backups ?? []
  const [newest] = backups.toSorted((a, b) => b.at - a.at)
  // Only the browser with the primary set knows whether it was backed up.
  const mayBe = stored?.kind !== 'primary' && scheme !== 'TWO_OF_TWO'
  if (!newest) return { state: mayBe ? 'unverified' : 'none', providers: [] }
  const current = backups.filter(({ epoch }) => epoch === primary.epoch)
  return {
    // A browser that made newer shares also made their backup, of which this browser's older entry says nothing.
    state: current.length > 0 ? 'current' : mayBe ? 'unverified' : 'stale',
    providers: [...new Set((current.length > 0 ? current : backups).map(({ provider }) => provider))],
    backedUpAt: newest.at,
  }
}

function getPolicy({ policy }: KnownSet): Policy | undefined {
  return policy
    ? {
        ...policy,
        dailyLimit: policy.dailyLimit === undefined ? undefined : BigInt(policy.dailyLimit),
        transactionLimit: policy.transactionLimit === undefined ? undefined : BigInt(policy.transactionLimit),
        tokens: policy.tokens?.map(token => ({ ...token, dailyLimit: BigInt(token.dailyLimit) })),
      }
    : undefined
}

/** @param storedSets the sets of this wallet that are in this browser */
export function walletView(wallet: KnownWallet, storedSets: readonly KeptSet[]): WaasWallet {
  const primary = wallet.sets.find(({ kind }) => kind === 'primary') ?? wallet.sets[0]
  if (!primary) throw new KeybayError(relayAnswerWrong, { detail: 'a wallet without a set' })
  // A retired share, or one of another public package, signs nothing, even in the same epoch.
  const usable = (keptSet: KeptSet) => (set: KnownSet) =>
    set.setId === keptSet.setId &&
    set.status === 'active' &&
    !keptSet.retired &&
    isOfPackage(keptSet.share, set.claims.pub)
  const here = storedSets.filter(set => wallet.sets.some(usable(set)))
  const ownSet = here.find(({ setId }) => setId === primary.setId) ?? here[0]
  const set = wallet.sets.find(({ setId }) => setId === ownSet?.setId) ?? primary
  return {
    walletId: wallet.walletId,
    accountAddress: wallet.address,
    chainName: wallet.chainName,
    publicKey: groupKey(decode(codecs.shareSet, fromBase64Url(primary.claims.pub))).slice(),
    thresholdSignatureScheme: wallet.scheme,
    setId: primary.setId,
    epoch: primary.epoch,
    signing: wallet.chainName === 'EVM' ? 'reconstructed' : 'threshold',
    origin: wallet.origin,
    exportable: wallet.exportable,
    exported: wallet.exported,
    here: ownSet !== undefined,
    passwordEncrypted: ownSet?.share.sealed.password !== undefined,
    backup: getBackup(wallet.scheme, primary, ownSet),
    sets: wallet.sets.map(known => {
      const { setId, kind, createdAt, status, name } = known
      const policy = getPolicy(known)
      return {
        setId,
        kind,
        createdAt,
        revoked: status === 'revoked',
        here: here.some(set => set.setId === setId),
        ...(storedSets.some(set => set.setId === setId && set.retired) && { kept: true }),
        ...(name && { name }),
        ...(policy && { policy }),
      }
    }),
    policy: getPolicy(set),
    createdAt: wallet.createdAt,
  }
}
