/** State that a frame keeps of a wallet, and its part of resharings: it deals, and opens what others dealt. */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import * as mpc from '@keybay/waas/mpc'
import type { User } from '../world.js'
import {
  type Asked,
  ask,
  b64,
  ok,
  operationHash,
  policyHash,
  policyJson,
  READ,
  sha256,
  type Target,
  thumbprint,
  unb64,
} from './request.js'

mpc.enableSecp256k1()

type Scheme = ThresholdSignatureScheme
export interface Wallet {
  readonly user: User
  readonly walletId: string
  readonly setId: string
  readonly address: string
  readonly scheme: Scheme
  readonly device: KeyObject
  /** Shares of the frame's parties. */
  readonly shares: readonly mpc.KeyShare[]
  readonly epoch: number
  readonly record: string
  /** Policy of the set; absent for the default. */
  readonly policy?: object | null
}

export function getShare(wallet: Pick<Wallet, 'shares'>, party: mpc.Party): mpc.KeyShare {
  const share = wallet.shares.find(share => share.party === party)
  if (!share) throw new Error(`no share of ${party}`)
  return copy(share)
}

/** Copies a share or sub-share: a consumer erases it. */
export function copy<T extends { readonly secret: Uint8Array }>(share: T): T {
  return { ...share, secret: share.secret.slice() }
}

export function isFrame(party: mpc.Party) {
  return party === 'C' || party === 'B1' || party === 'B2'
}

export function getRelays({ parties }: Pick<mpc.ShareSet, 'parties'>) {
  return parties.filter(party => !isFrame(party))
}

/** Returns the authority of a request with the wallet's device. */
export function asDevice({ address, device, walletId, setId, epoch }: Wallet, op: string, more: Partial<Asked> = {}) {
  return { op, hash: operationHash(op), address, device, walletId, setId, epoch, ...more }
}

export type Box = { from: mpc.Party; to: mpc.Party; box: string }

export async function relayKeys(target: Target): Promise<Record<string, Uint8Array>> {
  const response = await fetch(`${target.next().internalUrl}/sdk/local/party`)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const party = await response.json()
  return { R1: unb64(party.sealingKey), ...(party.peer && { R2: unb64(party.peer.sealingKey) }) }
}

export function sealFor(plan: mpc.SetPlan, keys: Record<string, Uint8Array>, subShares: readonly mpc.SubShare[]) {
  return subShares.flatMap((subShare): Box[] => {
    const { from, to } = subShare
    const key = keys[to]
    const bytes = mpc.encode(mpc.subShareCodec(plan.curve), subShare)
    return key ? [{ from, to, box: b64(mpc.sealPrivate(key, mpc.sealContext(plan, from, to), bytes)) }] : []
  })
}

export function openBoxes(plan: mpc.SetPlan, pair: mpc.SealingKeyPair, boxes: readonly Box[]): mpc.SubShare[] {
  return boxes.map(({ from, to, box }) =>
    mpc.decode(mpc.subShareCodec(plan.curve), mpc.openPrivate(pair, mpc.sealContext(plan, from, to), unb64(box))),
  )
}

export function newPlan(scheme: Scheme, curve: mpc.SetPlan['curve'] = 'ed25519'): mpc.SetPlan {
  const ids = { ceremonyId: randomUUID(), walletId: randomUUID(), setId: randomUUID() }
  return { ...ids, epoch: 0, curve, ...mpc.SCHEMES[scheme] }
}

interface AdditionalOptions {
  readonly setId?: string | undefined
  readonly withR2?: boolean
}

/** Returns the plan of an additional set of the wallet. */
export function additionalPlan({ walletId, scheme, shares }: Wallet, options: AdditionalOptions = {}): mpc.SetPlan {
  const { setId = randomUUID(), withR2 = false } = options
  const curve = shares[0]?.set.curve ?? 'ed25519'
  const sharing = mpc.additionalSharing(scheme, withR2)
  return { ceremonyId: randomUUID(), walletId, setId, epoch: 0, curve, ...sharing }
}

interface DealOptions {
  /** Policy of the new set. */
  readonly policy?: object | null | undefined
  /** Device key that the dealer proves. */
  readonly device?: KeyObject
}

/**
 * Deals the set of `next` from the wallet's set.
 *
 * @returns also the fields of the request that every purpose has
 */
export function deal(
  wallet: Wallet,
  next: mpc.SetPlan,
  scheme: Scheme,
  by: mpc.Party = 'C',
  { policy = wallet.policy ?? null, device = wallet.device }: DealOptions = {},
) {
  const share = getShare(wallet, by)
  const from = share.set
  const dealers: mpc.Party[] = [by, ...getRelays(from).slice(0, from.threshold - 1)]
  const policyHash = sha256(policyJson(policy))
  const plan: mpc.ResharePlan = { from, dealers, next, policyHash: unb64(policyHash) }
  const { dealing, subShares } = mpc.reshareDeal(plan, share)
  const { ceremonyId, setId: newSetId } = next
  const dealings = [b64(mpc.encode(mpc.codecs.reshareDealing, dealing))]
  const context = ['keybay-dealer', ceremonyId, wallet.walletId, thumbprint(device)]
  const proofs = [b64(mpc.proveShare(getShare(wallet, by), Buffer.from(JSON.stringify(context))))]
  const body = { ceremonyId, setId: wallet.setId, newSetId, newScheme: scheme, dealers, policyHash, dealings, proofs }
  return { plan, subShares, body }
}

export function readDealings(texts: readonly string[]) {
  return texts.map(text => mpc.decode(mpc.codecs.reshareDealing, unb64(text)))
}

/** Returns the body of a commit, with proofs of the new shares. */
export function commitBody(ceremonyId: string, transcript: string, shares: readonly mpc.KeyShare[]) {
  const context = Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, transcript]))
  return { ceremonyId, transcript, proofs: shares.map(share => b64(mpc.proveShare(share, context))) }
}

/** Revokes another set of the wallet or changes its policy, with the wallet's device. */
export function changeSet(
  target: Target,
  wallet: Wallet,
  setId: string,
  what: 'revoke' | 'policy',
  body: { readonly policy?: object | null },
  consent = false,
  by = ask,
  more: Partial<Asked> = {},
) {
  const op = what === 'policy' ? 'setPolicy' : 'revokeSet'
  const hash = what === 'policy' ? policyHash(setId, body.policy ?? null) : operationHash(op, setId)
  const operation = asDevice(wallet, op, { hash, ...(consent && { consent }), ...more })
  return by(target, wallet.user, `/wallets/${wallet.walletId}/sets/${setId}/${what}`, body, operation)
}

/** Has R1 name the account of the wallet's backups, during a refresh. */
export function nameBackupAccount(target: Target, wallet: Wallet, account?: object, more: Partial<Asked> = {}) {
  const operation = asDevice(wallet, 'refreshWalletAccountShares', more)
  const body = { setId: wallet.setId, ...account }
  return ask(target, wallet.user, `/wallets/${wallet.walletId}/backup-account`, body, operation)
}

/** Reads the audit record of the wallet's set. */
export async function readAudit(target: Target, { user, walletId, setId }: Wallet) {
  return ok(await ask(target, user, `/wallets/${walletId}/audit`, { setId, after: 0 }, READ))
}
