/**
 * The end of a creation or an import. R2 keeps its share as pending and says what it has seen; R1 compares that, makes the
 * wallet with its signed record, and shows R2 the record.
 */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { codecs, confirmTranscript, encode, eraseShare, type Outcome } from '@keybay/waas/mpc'
import * as v from 'valibot'
import type { Authority } from '../authority/authorize.js'
import { type PublicJwk, sha256 } from '../authority/keys.js'
import type { WalletOrigin } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { toBytes, toText } from '../http/fields.js'
import { parse } from '../http/route.js'
import type { AuditEntry } from '../store/audit.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import type { Transaction } from '../store/sets.js'
import { walletSchema } from '../store/wallets.js'
import { insertWallet, type NewWallet } from './adopt.js'
import { addressOf, type WalletChain } from './chain.js'
import { askPeer, CONFIRMED_LIFETIME, DONE_LIFETIME, once } from './flow.js'
import { step } from './messages.js'
import { assertRoom, mostWallets } from './room.js'
import { oweRecord, showRecord } from './show.js'

const confirmed = v.object({ transcript: v.string() })
/** To the frame by R1; to R1 by R2. */
export const finishedAnswer = v.union([v.object({ wallet: walletSchema }), confirmed])
export type Finished = v.InferOutput<typeof finishedAnswer>

/** R2 is done when it has seen R1's record. */
export const finishedStep = ({ services }: Call): string => (services.party === 'R1' ? 'done' : 'confirmed')
/** Of a request that was repeated. */
export const shownAnswer = async (call: Call, walletId: string, repeat: unknown): Promise<Finished> =>
  call.services.party === 'R1'
    ? { wallet: await call.services.wallets.show(walletId) }
    : parse('answer', confirmed, repeat)

type Saved = Pick<CeremonyRow, 'step' | 'bodyHash' | 'answer' | 'expiresAt' | 'facts'>
export interface Finish {
  readonly authority: Authority
  readonly chainName: WalletChain
  readonly scheme: ThresholdSignatureScheme
  readonly deviceKey: PublicJwk
  readonly outcome: Outcome
  readonly origin: WalletOrigin
  readonly sealedSeed: Uint8Array | undefined
  /** The frame's, to compare. */
  readonly transcript: Uint8Array
  /** What R1 hands on. */
  readonly toPeer: object
  readonly save: (tx: Transaction, values: Saved, state: Uint8Array | null) => Promise<void>
}

export const finishCreation = async (call: Call, finish: Finish): Promise<Finished> => {
  const { services } = call
  const { outcome, transcript } = finish
  try {
    step(() => confirmTranscript(outcome.transcript, transcript, 'C'))
    return services.party === 'R2' ? await confirm(call, finish) : await commit(call, finish)
  } finally {
    eraseShare(outcome.share)
  }
}

const confirm = async (call: Call, { authority, outcome, origin, sealedSeed, save }: Finish): Promise<Finished> => {
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

const commit = async (call: Call, finish: Finish): Promise<Finished> => {
  const { services, environment } = call
  const { authority, chainName, scheme, deviceKey, outcome, origin, sealedSeed, toPeer, save } = finish
  const { share, transcript } = outcome
  const involved = share.set.parties.includes('R2')
  if (involved) {
    const theirs = await askPeer(call, confirmed, toPeer)
    step(() => confirmTranscript(transcript, toBytes(theirs.transcript), 'R2'))
  }
  const made: NewWallet = {
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
  const values = {
    step: 'done',
    bodyHash: sha256(call.rawBody),
    answer: '{}',
    facts: {},
    expiresAt: services.clock.now() + DONE_LIFETIME,
  }
  const most = await mostWallets(call)
  await once(call, authority, async tx => {
    await assertRoom(call, made.userId, most, tx)
    await save(tx, values, null)
    const { id: setId, record } = await insertWallet(services, tx, made, createdEntry(call, authority, made))
    if (involved) await oweRecord(tx, { environmentId: environment.id, setId, record })
  })
  const wallet = await services.wallets.show(share.set.walletId)
  await showRecord(call, wallet.sets[0]?.record ?? '', involved)
  return { wallet }
}

const createdEntry = (call: Call, { session, device, operation }: Authority, made: NewWallet): AuditEntry => ({
  at: call.services.clock.now(),
  what: 'created',
  userId: session.userId,
  sessionId: session.sessionId,
  tokenId: session.jti,
  device: device.thumbprint,
  epoch: made.set.epoch,
  hash: operation.hash,
  scheme: made.scheme,
  kind: made.kind,
  transcript: made.transcript,
})
