/** Making a wallet together with the relays: the first two of three round trips. The third is the caller's, once all is kept. */
import { type Chain, fromBase64Url, type ThresholdSignatureScheme, toBase64Url } from '@keybay/kernel/spec'
import {
  acceptDeal,
  codecs,
  confirmTranscript,
  type Deal,
  type DealPackage,
  dealCreated,
  dealImported,
  decode,
  dkgDeal,
  dkgFinish,
  dkgOpen,
  dkgStart,
  encode,
  entropyStart,
  erase,
  type KeyShare,
  type Outcome,
  type Party,
  SCHEMES,
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import {
  type Authority,
  commitmentsSchema,
  type Device,
  type DevicePublicKey,
  openBox,
  openedSchema,
  openSubShares,
  type RelayClient,
} from '@keybay/waas/relay-client'
import { copySubShare, frameParties, type RelayKeys, sealFor } from './boxes.js'
import type { MadeWallet } from './made.js'

export interface Creation {
  readonly relay: RelayClient
  readonly keys: RelayKeys
  readonly authority: Authority
  readonly device: Device
  readonly deviceKey: DevicePublicKey
  readonly scheme: ThresholdSignatureScheme
  readonly chainName: Chain
}

function bytesOf(texts: readonly string[]): readonly Uint8Array[] {
  return texts.map(fromBase64Url)
}

function creationPlan({ device, scheme, chainName }: Pick<Creation, 'device' | 'scheme' | 'chainName'>): SetPlan {
  return {
    ceremonyId: crypto.randomUUID(),
    walletId: device.walletId,
    setId: device.setId,
    epoch: 0,
    curve: chainName === 'SOL' ? 'ed25519' : 'secp256k1',
    ...SCHEMES[scheme],
  }
}

async function begin(
  { relay, authority, device, deviceKey, scheme, chainName }: Creation,
  plan: SetPlan,
  given: { readonly exportable: boolean; readonly sealingKey: Uint8Array; readonly commitments: readonly Uint8Array[] },
) {
  const { ceremonyId, walletId, setId } = plan
  const { commitments, expiresAt } = await relay.post({
    path: '/wallets/create/begin',
    body: {
      ceremonyId,
      walletId,
      setId,
      chainName,
      scheme,
      exportable: given.exportable,
      deviceKey,
      sealingKey: toBase64Url(given.sealingKey),
      commitments: given.commitments.map(toBase64Url),
    },
    answer: commitmentsSchema,
    authority,
    device,
  })
  return { commitments: bytesOf(commitments), expiresAt }
}

function open(
  { relay, authority, device }: Creation,
  { ceremonyId }: SetPlan,
  commitments: readonly Uint8Array[],
  openings: readonly Uint8Array[],
) {
  return relay.post({
    path: '/wallets/create/open',
    body: { ceremonyId, commitments: commitments.map(toBase64Url), openings: openings.map(toBase64Url) },
    answer: openedSchema,
    authority,
    device,
  })
}

/** All of the frame's own parties have come to the same. */
function together(
  outcomes: readonly Outcome[],
  parties: readonly Party[],
): { shares: KeyShare[]; transcript: Uint8Array } {
  const [first] = outcomes
  const transcript = first?.transcript ?? new Uint8Array()
  for (const [index, outcome] of outcomes.entries())
    confirmTranscript(transcript, outcome.transcript, parties[index] ?? 'C')
  return { shares: outcomes.map(({ share }) => share), transcript }
}

/**
 * The key is nowhere whole, not even while it is made: distributed key generation. A secp256k1 key can be taken along all the
 * same: it is its scalar, and has no seed.
 */
export async function createByDkg(creation: Creation): Promise<MadeWallet> {
  const plan = creationPlan(creation)
  const { chainName } = creation
  const own = frameParties(plan)
  const pair = sealingKeyPair()
  const started = own.map(party => dkgStart(plan, party))
  const commitments = started.map(({ message }) => encode(codecs.dkgCommitment, message))
  const begun = await begin(creation, plan, {
    exportable: chainName !== 'SOL',
    sealingKey: pair.publicKey,
    commitments,
  })
  const everybody = [...commitments, ...begun.commitments]
  const committed = everybody.map(bytes => decode(codecs.dkgCommitment, bytes))
  const opened = started.map(({ state }) => dkgOpen(state, committed))
  const openings = opened.map(({ message }) => encode(codecs.dkgOpening, message))
  const answer = await open(creation, plan, everybody, openings)
  const openedByAll = [
    ...opened.map(({ message }) => message),
    ...bytesOf(answer.openings).map(bytes => decode(codecs.dkgOpening, bytes)),
  ]
  const dealt = opened.map(({ state }) => dkgDeal(state, openedByAll))
  // A party's last step erases what it dealt, so the others' are copied first.
  const between = dealt.flatMap(({ message }) => message.map(copySubShare))
  const received = [...between, ...openSubShares(plan, pair, answer.subShares)]
  const subShares = sealFor(plan, creation.keys, between)
  const outcomes = dealt.map(({ state }, index) =>
    dkgFinish(
      state,
      received.filter(({ to }) => to === own[index]),
    ),
  )
  erase(pair.secretKey, ...between.map(({ secret }) => secret))
  const { shares, transcript } = together(outcomes, own)
  return {
    shares,
    finish: {
      path: '/wallets/create/finish',
      body: { ceremonyId: plan.ceremonyId, subShares, transcript: toBase64Url(transcript) },
    },
    expiresAt: begun.expiresAt,
  }
}

/** Takes the frame's shares out of a deal, and seals the relays'. */
function accept(plan: SetPlan, { keys }: Pick<Creation, 'keys'>, deal: Deal) {
  const { set, sealedSeed } = deal
  const given: DealPackage = { set, ...(sealedSeed && { sealedSeed }) }
  const own = frameParties(plan)
  const outcomes = own.map(party => {
    const subShare = deal.subShares.find(({ to }) => to === party)
    if (!subShare) throw new RangeError('a deal without a party')
    return acceptDeal(plan, party, given, subShare)
  })
  const subShares = sealFor(plan, keys, deal.subShares)
  erase(...deal.subShares.filter(({ to }) => !own.includes(to)).map(({ secret }) => secret))
  const { shares, transcript } = together(outcomes, own)
  return {
    shares,
    sealedSeed,
    dealt: { package: toBase64Url(encode(codecs.dealPackage, given)), subShares, transcript: toBase64Url(transcript) },
  }
}

/** A seed of both sides' entropy is in this frame's memory for a moment, and its key with it; then dealt and erased. */
export async function createExportable(creation: Creation): Promise<MadeWallet> {
  const plan = creationPlan(creation)
  const { ceremonyId } = plan
  const pair = sealingKeyPair()
  const { state, message } = entropyStart(plan, 'C')
  const commitment = encode(codecs.entropyCommitment, message)
  const begun = await begin(creation, plan, { exportable: true, sealingKey: pair.publicKey, commitments: [commitment] })
  const everybody = [commitment, ...begun.commitments]
  const answer = await open(creation, plan, everybody, [])
  const openings = answer.subShares.map(one => {
    const bytes = openBox(plan, pair, one)
    const opening = decode(codecs.entropyOpening, bytes)
    erase(bytes)
    return opening
  })
  const deal = dealCreated(
    state,
    everybody.map(bytes => decode(codecs.entropyCommitment, bytes)),
    openings,
  )
  erase(pair.secretKey)
  const { shares, sealedSeed, dealt } = accept(plan, creation, deal)
  return {
    shares,
    sealedSeed,
    finish: { path: '/wallets/create/finish', body: { ceremonyId, ...dealt } },
    expiresAt: begun.expiresAt,
  }
}

/** How long a dealt import may wait for its backup. Only this frame knows of it. */
const IMPORT_WAITS = 600_000

/** An imported key: dealt here, and told to the relays at once. @param seed 32 bytes; erased */
export function createImported(creation: Creation, seed: Uint8Array, now: number): MadeWallet {
  const plan = creationPlan(creation)
  const { ceremonyId, walletId, setId } = plan
  const { shares, sealedSeed, dealt } = accept(plan, creation, dealImported(plan, seed))
  const { deviceKey, scheme } = creation
  return {
    shares,
    sealedSeed,
    finish: {
      path: '/wallets/import',
      body: { ceremonyId, walletId, setId, chainName: 'SOL', scheme, deviceKey, ...dealt },
    },
    expiresAt: now + IMPORT_WAITS,
  }
}
