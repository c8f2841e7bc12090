/**
 * Finishes a creation or an import. R2 keeps its share as pending and returns its transcript; R1 compares the
 * transcripts, creates the wallet with its signed record, and sends R2 the record.
 */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { codecs, confirmTranscript, encode, eraseShare, type Outcome } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { type Authority, auditEntry } from '../authority/authorize.js'
import { getThumbprint, type PublicJwk, sha256 } from '../crypto/jwk.js'
import type { WalletOrigin } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { toBytes, toText } from '../http/fields.js'
import { type Call, parse } from '../http/route.js'
import type { CeremonyKey, CeremonyRow } from '../store/ceremonies.js'
import type { Transaction } from '../store/sets.js'
import { walletSchema } from '../store/wallets.js'
import { insertWallet, type NewWallet } from './adopt.js'
import { addressOf, type WalletChain } from './chain.js'
import { answered, askPeer, CONFIRMED_LIFETIME, DONE_LIFETIME, once } from './flow.js'
import { appendFirst } from './history.js'
import { step } from './messages.js'
import { announceWallet, giveUpWallet, takeClaim } from './pending.js'
import { checkProofs, creationContext } from './proofs.js'
import { assertRoom, mostWallets, type Room } from './room.js'
import { deliver } from './witness.js'

const confirmed = v.object({ transcript: v.string() })
/** Response of R1 to the frame, and of R2 to R1. */
export const finishedAnswer = v.union([v.object({ wallet: walletSchema }), confirmed])
export type Finished = v.InferOutput<typeof finishedAnswer>

/** Errors of the product API for a new wallet. */
export const reportErrors = [
  'embedded_wallet_address_already_linked',
  'account_deletion_pending',
  'blocked_user_cannot_transfer_wallet',
  'api_unavailable',
] as const

/** Returns the step after finishing: R2 stays `confirmed` until it sees R1's record. */
export function finishedStep({ services }: Call): string {
  return services.party === 'R1' ? 'done' : 'confirmed'
}
/** Returns the response to a repeated request. */
export async function shownAnswer(call: Call, walletId: string, repeat: unknown): Promise<Finished> {
  return call.services.party === 'R1'
    ? { wallet: await call.services.wallets.show(walletId) }
    : parse('answer', confirmed, repeat)
}

type Saved = Pick<CeremonyRow, 'step' | 'bodyHash' | 'answer' | 'expiresAt' | 'facts'>
export interface Finish {
  readonly authority: Authority
  readonly chainName: WalletChain
  readonly scheme: ThresholdSignatureScheme
  /** True if the wallet is only created for a user who has none. */
  readonly first?: boolean | undefined
  readonly deviceKey: PublicJwk
  readonly outcome: Outcome
  readonly origin: WalletOrigin
  readonly sealedSeed: Uint8Array | undefined
  /** Transcript of the frame, for comparison. */
  readonly transcript: Uint8Array
  /** Proofs of the frame's shares, in the order of its parties. */
  readonly proofs: readonly Uint8Array[]
  /** Data that R1 forwards. */
  readonly toPeer: object
  readonly key: CeremonyKey
  /** Time when the creation counts as abandoned, in ms since epoch. */
  readonly expiresAt: number
  readonly save: (tx: Transaction, values: Saved, state: Uint8Array | null) => Promise<void>
}

export async function finishCreation(call: Call, finish: Finish): Promise<Finished> {
  const { services } = call
  const { outcome, transcript, proofs, key, deviceKey } = finish
  try {
    step(() => confirmTranscript(outcome.transcript, transcript, 'C'))
    const context = creationContext(key.id, toText(transcript), getThumbprint(deviceKey))
    checkProofs(outcome.share.set, context, proofs)
    return services.party === 'R2' ? await confirm(call, finish) : await commit(call, finish)
  } finally {
    eraseShare(outcome.share)
  }
}

async function confirm(call: Call, { authority, outcome, origin, sealedSeed, save }: Finish): Promise<Finished> {
  const answer = { transcript: toText(outcome.transcript) }
  const facts = { ...answer, origin, ...(sealedSeed && { sealedSeed: toText(sealedSeed) }) }
  const values = {
    step: 'confirmed',
    bodyHash: sha256(call.rawBody),
    answer: JSON.stringify(answer),
    facts,
    expiresAt: call.services.clock.now() + CONFIRMED_LIFETIME,
  }
  await once(call, authority, tx => save(tx, values, encode(codecs.keyShare, outcome.share)))
  return answer
}

async function commit(call: Call, finish: Finish): Promise<Finished> {
  const { services } = call
  const { outcome, toPeer, expiresAt } = finish
  const { set } = outcome.share
  const involved = set.parties.includes('R2')
  if (involved) {
    const peerResponse = await askPeer(call, confirmed, toPeer)
    step(() => confirmTranscript(outcome.transcript, toBytes(peerResponse.transcript), 'R2'))
  }
  const made = getWallet(call, finish)
  const room = { userId: made.userId, most: await mostWallets(call), first: finish.first }
  try {
    const record = await announceWallet(call, { made, expiresAt, room })
    await writeWallet(call, finish, { ...made, record }, room)
    await deliver(services, set.walletId, call.requestId)
  } catch (error) {
    // An identical concurrent request has created the wallet.
    const repeat = await answered(call, finish.authority, await services.ceremonies.find(finish.key), 'done')
    if (!repeat) throw error
  }
  return { wallet: await services.wallets.show(set.walletId) }
}

function getWallet({ environment }: Call, finish: Finish): NewWallet {
  const { authority, chainName, scheme, deviceKey, outcome, origin, sealedSeed } = finish
  const { share, transcript } = outcome
  return {
    environmentId: environment.id,
    userId: authority.session.userId,
    address: addressOf(chainName, share.set),
    kind: 'primary',
    name: '',
    scheme,
    status: 'active',
    set: share.set,
    share,
    transcript: toText(transcript),
    deviceKey,
    policy: null,
    origin,
    sealedSeed,
  }
}

/** Stores the wallet, which can then be used. */
async function writeWallet(
  call: Call,
  { authority, save }: Finish,
  made: NewWallet & { readonly record: string },
  room: Room,
): Promise<void> {
  const { services } = call
  const { set, record } = made
  const values = {
    step: 'done',
    bodyHash: sha256(call.rawBody),
    answer: '{}',
    facts: {},
    expiresAt: services.clock.now() + DONE_LIFETIME,
  }
  const { scheme, kind, transcript } = made
  const entry = auditEntry(call, authority, set.epoch, 'created', { scheme, kind, transcript })
  try {
    await once(call, authority, async tx => {
      await assertRoom(call, room, tx)
      await takeClaim(tx, set.walletId, record)
      await save(tx, values, null)
      await insertWallet(services, tx, made, entry)
      await appendFirst(services, tx, made)
    })
  } catch (error) {
    if (error instanceof RelayError && NEVER_MADE.has(error.code)) await giveUpWallet(call, set.walletId)
    throw error
  }
}
/** Errors after which this wallet is never created. */
const NEVER_MADE: ReadonlySet<string> = new Set(['too_many_embedded_wallets_for_user', 'wallet_exists'])
