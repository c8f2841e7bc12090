/** Creates a wallet with the relays: two of three round trips. The caller sends the third, once all is stored. */
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
  proveShare,
  SCHEMES,
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import {
  type Authority,
  commitmentsSchema,
  creationContext,
  type Device,
  type DevicePublicKey,
  openBox,
  openedSchema,
  openSubShares,
  type RelayClient,
  thumbprint,
} from '@keybay/waas/relay-client'
import { copySubShare, frameParties, type RelayKeys, sealFor } from './boxes.js'

export interface Creation {
  readonly relay: RelayClient
  readonly keys: RelayKeys
  readonly authority: Authority
  readonly device: Device
  readonly deviceKey: DevicePublicKey
  readonly scheme: ThresholdSignatureScheme
  readonly chainName: Chain
  /** True: the relay creates the wallet only if the user has none. */
  readonly first?: boolean | undefined
}

/** Wallet before its last request to the relay. */
export interface MadeWallet {
  /** Shares of the device (first) and of the backup. The caller seals and erases them. */
  readonly shares: readonly KeyShare[]
  /** Sealed seed, which only the whole key can open. */
  readonly sealedSeed?: Uint8Array | undefined
  /** Last request, which creates the wallet. It may be retried unchanged. */
  readonly finish: { readonly path: string; readonly body: object }
  /** Time when the relay drops the ceremony, in ms since epoch. */
  readonly expiresAt: number
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
  { relay, authority, device, deviceKey, scheme, chainName, first }: Creation,
  plan: SetPlan,
  parameters: {
    readonly exportable: boolean
    readonly sealingKey: Uint8Array
    readonly commitments: readonly Uint8Array[]
  },
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
      exportable: parameters.exportable,
      deviceKey,
      sealingKey: toBase64Url(parameters.sealingKey),
      commitments: parameters.commitments.map(toBase64Url),
      ...(first && { first }),
    },
    answer: commitmentsSchema,
    authority,
    device,
  })
  return { commitments: commitments.map(fromBase64Url), expiresAt }
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

/** Proves, for the last request, that the frame holds the share of each of its parties. */
async function proveShares(
  { deviceKey }: Pick<Creation, 'deviceKey'>,
  { ceremonyId }: SetPlan,
  transcript: string,
  shares: readonly KeyShare[],
): Promise<readonly string[]> {
  const context = creationContext(ceremonyId, transcript, await thumbprint(deviceKey))
  return shares.map(share => toBase64Url(proveShare(share, context)))
}

/** Checks that all of the frame's own parties have the same transcript, and returns their shares. */
function together(outcomes: readonly Outcome[], parties: readonly Party[]): { shares: KeyShare[]; transcript: string } {
  const [first] = outcomes
  const transcript = first?.transcript ?? new Uint8Array()
  for (const [index, outcome] of outcomes.entries())
    confirmTranscript(transcript, outcome.transcript, parties[index] ?? 'C')
  return { shares: outcomes.map(({ share }) => share), transcript: toBase64Url(transcript) }
}

/**
 * Creates a wallet by distributed key generation, so that the whole key never exists in one place. A secp256k1 key is
 * still exportable, because it is a scalar without a seed.
 */
export async function createByDkg(creation: Creation): Promise<MadeWallet> {
  const plan = creationPlan(creation)
  const { chainName } = creation
  const ownParties = frameParties(plan)
  const pair = sealingKeyPair()
  const started = ownParties.map(party => dkgStart(plan, party))
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
    ...answer.openings.map(text => decode(codecs.dkgOpening, fromBase64Url(text))),
  ]
  const dealt = opened.map(({ state }) => dkgDeal(state, openedByAll))
  // The last step of a party erases the sub-shares it dealt, so copy those for the other parties first.
  const between = dealt.flatMap(({ message }) => message.map(copySubShare))
  const received = [...between, ...openSubShares(plan, pair, answer.subShares)]
  const subShares = sealFor(plan, creation.keys, between)
  const outcomes = dealt.map(({ state }, index) =>
    dkgFinish(
      state,
      received.filter(({ to }) => to === ownParties[index]),
    ),
  )
  erase(pair.secretKey, ...between.map(({ secret }) => secret))
  const { shares, transcript } = together(outcomes, ownParties)
  const proofs = await proveShares(creation, plan, transcript, shares)
  return {
    shares,
    finish: { path: '/wallets/create/finish', body: { ceremonyId: plan.ceremonyId, subShares, transcript, proofs } },
    expiresAt: begun.expiresAt,
  }
}

/** Accepts the frame's shares of a deal, and seals the relays' shares. */
async function accept(plan: SetPlan, creation: Creation, deal: Deal) {
  const { set, sealedSeed } = deal
  const dealPackage: DealPackage = { set, ...(sealedSeed && { sealedSeed }) }
  const ownParties = frameParties(plan)
  const outcomes = ownParties.map(party => {
    const subShare = deal.subShares.find(({ to }) => to === party)
    if (!subShare) throw new RangeError('a deal without a party')
    return acceptDeal(plan, party, dealPackage, subShare)
  })
  const subShares = sealFor(plan, creation.keys, deal.subShares)
  erase(...deal.subShares.filter(({ to }) => !ownParties.includes(to)).map(({ secret }) => secret))
  const { shares, transcript } = together(outcomes, ownParties)
  return {
    shares,
    sealedSeed,
    dealt: {
      package: toBase64Url(encode(codecs.dealPackage, dealPackage)),
      subShares,
      transcript,
      proofs: await proveShares(creation, plan, transcript, shares),
    },
  }
}

/**
 * Creates a wallet from a seed with entropy of both sides. The seed and key are only briefly in this frame's memory:
 * they are dealt and erased.
 */
export async function createExportable(creation: Creation): Promise<MadeWallet> {
  const plan = creationPlan(creation)
  const { ceremonyId } = plan
  const pair = sealingKeyPair()
  const { state, message } = entropyStart(plan, 'C')
  const commitment = encode(codecs.entropyCommitment, message)
  const begun = await begin(creation, plan, { exportable: true, sealingKey: pair.publicKey, commitments: [commitment] })
  const everybody = [commitment, ...begun.commitments]
  const answer = await open(creation, plan, everybody, [])
  const openings = answer.subShares.map(subShare => {
    const bytes = openBox(plan, pair, subShare)
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
  const { shares, sealedSeed, dealt } = await accept(plan, creation, deal)
  return {
    shares,
    sealedSeed,
    finish: { path: '/wallets/create/finish', body: { ceremonyId, ...dealt } },
    expiresAt: begun.expiresAt,
  }
}

/** Time that a dealt import may wait for its backup, in ms. Only this frame knows about the import. */
const IMPORT_WAITS = 600_000

/** Deals an imported key here, and sends it to the relays in one request. @param seed 32 bytes; erased */
export async function createImported(creation: Creation, seed: Uint8Array, now: number): Promise<MadeWallet> {
  const plan = creationPlan(creation)
  const { ceremonyId, walletId, setId } = plan
  const { shares, sealedSeed, dealt } = await accept(plan, creation, dealImported(plan, seed))
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
