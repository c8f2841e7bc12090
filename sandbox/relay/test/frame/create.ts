/** Creates and imports wallets. */
import type { KeyObject } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import * as mpc from '@keybay/waas/mpc'
import bs58 from 'bs58'
import { newKey, type User } from '../world.js'
import { type Answer, ask, b64, ok, operationHash, type Target, text, thumbprint, toJwk, unb64 } from './request.js'
import { type Box, copy, isFrame, newPlan, openBoxes, relayKeys, sealFor, type Wallet } from './wallet.js'

const { codecs, decode, encode } = mpc

export interface CreateOptions {
  readonly scheme?: ThresholdSignatureScheme
  readonly exportable?: boolean
  readonly chainName?: 'SOL' | 'EVM' | 'BTC'
  /** Only for a user without a wallet. */
  readonly first?: true
  /** Sends the last request twice, as after a lost response. */
  readonly twice?: boolean
  /** Changes the last request. */
  readonly change?: (body: object) => object
  /** Sends the last request any number of times. */
  readonly finish?: (send: () => Promise<Answer>) => Promise<Answer>
}

export async function create(target: Target, user: User, options: CreateOptions = {}): Promise<Wallet> {
  const { scheme = 'TWO_OF_TWO', chainName = 'SOL', exportable = chainName !== 'SOL', first } = options
  const { change = body => body } = options
  const plan = newPlan(scheme, chainName === 'SOL' ? 'ed25519' : 'secp256k1')
  const { ceremonyId, walletId, setId } = plan
  const device = newKey()
  const pair = mpc.sealingKeyPair()
  const keys = await relayKeys(target)
  const op = 'createWalletAccount'
  const operation = { op, hash: operationHash(op, chainName, scheme, exportable), device, walletId, setId }
  const send = (step: string, body: object) =>
    ask(target, user, `/wallets/create/${step}`, { ceremonyId, ...body }, operation)
  const post = async (step: string, body: object) => ok(await send(step, body))
  const finish = async (shares: readonly mpc.KeyShare[], dealt: Dealt): Promise<Wallet> => {
    const body = change({ ...dealt, proofs: proveCreation(plan, dealt, device, shares) })
    const { wallet } = options.finish
      ? ok(await options.finish(() => send('finish', body)))
      : await post('finish', body)
    const { address, sets } = options.twice ? (await post('finish', body)).wallet : wallet
    return { user, walletId, setId, scheme, device, epoch: 0, address, shares, record: sets[0].record }
  }
  const deviceKey = toJwk(device)
  const facts = {
    walletId,
    setId,
    chainName,
    scheme,
    exportable,
    deviceKey,
    sealingKey: b64(pair.publicKey),
    ...(first && { first }),
  }
  const begin = (commitments: readonly string[]) => post('begin', { ...facts, commitments })
  if (exportable && chainName === 'SOL') {
    const { state, message } = mpc.entropyStart(plan, 'C')
    const ownCommitment = b64(encode(codecs.entropyCommitment, message))
    const commitments = [ownCommitment, ...(await begin([ownCommitment])).commitments]
    const { subShares } = await post('open', { commitments, openings: [] })
    const openings = subShares.map(({ from, box }: Box) =>
      decode(codecs.entropyOpening, mpc.openPrivate(pair, mpc.sealContext(plan, from, 'C'), unb64(box))),
    )
    const all = commitments.map(commitment => decode(codecs.entropyCommitment, unb64(commitment)))
    const deal = mpc.dealCreated(state, all, openings)
    return finish(ownShares(plan, deal), dealBody(plan, keys, deal))
  }
  const frameParties = plan.parties.filter(isFrame)
  const started = frameParties.map(party => mpc.dkgStart(plan, party))
  const ownCommitments = started.map(({ message }) => b64(encode(codecs.dkgCommitment, message)))
  const commitments = [...ownCommitments, ...(await begin(ownCommitments)).commitments]
  const all = commitments.map(commitment => decode(codecs.dkgCommitment, unb64(commitment)))
  const opened = started.map(({ state }) => mpc.dkgOpen(state, all))
  const ownOpenings = opened.map(({ message }) => b64(encode(codecs.dkgOpening, message)))
  const answer = await post('open', { commitments, openings: ownOpenings })
  const openings = [...ownOpenings, ...answer.openings].map(opening => decode(codecs.dkgOpening, unb64(opening)))
  const dealt = opened.map(({ state }) => mpc.dkgDeal(state, openings))
  const between = dealt.flatMap(({ message }) => message.map(copy))
  const received = [...openBoxes(plan, pair, answer.subShares), ...between]
  const outcomes = dealt.map(({ state }, index) =>
    mpc.dkgFinish(state, received.filter(({ to }) => to === frameParties[index]).map(copy)),
  )
  const transcript = b64(outcomes[0]?.transcript ?? new Uint8Array())
  const shares = outcomes.map(({ share }) => share)
  return finish(shares, { subShares: sealFor(plan, keys, between), transcript })
}

function ownShares(plan: mpc.SetPlan, deal: mpc.Deal): mpc.KeyShare[] {
  return plan.parties.filter(isFrame).map(party => {
    const subShare = deal.subShares.find(({ to }) => to === party)
    if (!subShare) throw new Error(party)
    return mpc.acceptDeal(plan, party, deal, copy(subShare)).share
  })
}

interface Dealt {
  readonly transcript: string
  readonly subShares?: readonly Box[]
}

/** Proves each share of a new wallet. */
export function proveCreation(
  { ceremonyId }: Pick<mpc.SetPlan, 'ceremonyId'>,
  { transcript }: Dealt,
  device: KeyObject,
  shares: readonly mpc.KeyShare[],
): string[] {
  const context = text(JSON.stringify(['keybay-creation', ceremonyId, transcript, thumbprint(device)]))
  return shares.map(share => b64(mpc.proveShare(share, context)))
}

function dealBody(plan: mpc.SetPlan, keys: Record<string, Uint8Array>, deal: mpc.Deal) {
  return {
    package: b64(encode(codecs.dealPackage, { set: deal.set, sealedSeed: deal.sealedSeed })),
    subShares: sealFor(plan, keys, deal.subShares),
    transcript: b64(mpc.dealTranscript(deal)),
  }
}

type ChangeImport = (
  body: Record<string, unknown>,
  made: { readonly plan: mpc.SetPlan; readonly device: KeyObject; readonly shares: readonly mpc.KeyShare[] },
) => object

export async function importKey(
  target: Target,
  user: User,
  seed: Uint8Array,
  scheme: ThresholdSignatureScheme = 'TWO_OF_TWO',
  change: ChangeImport = body => body,
): Promise<{ answer: Answer; wallet: Wallet; again(): Promise<Answer> }> {
  const plan = newPlan(scheme)
  const { ceremonyId, walletId, setId } = plan
  const device = newKey()
  const deal = mpc.dealImported(plan, seed.slice())
  const shares = ownShares(plan, deal)
  const facts = { ceremonyId, walletId, setId, chainName: 'SOL', scheme, deviceKey: toJwk(device) }
  const dealt = dealBody(plan, await relayKeys(target), deal)
  const body = { ...facts, ...dealt, proofs: proveCreation(plan, dealt, device, shares) }
  const op = 'importPrivateKey'
  const operation = { op, hash: operationHash(op, 'SOL', scheme), device, walletId, setId }
  const again = () => ask(target, user, '/wallets/import', change(body, { plan, device, shares }), operation)
  const answer = await again()
  const address = bs58.encode(mpc.groupKey(deal.set))
  const record = answer.body?.wallet?.sets[0].record ?? ''
  return { answer, again, wallet: { user, walletId, setId, address, scheme, device, shares, epoch: 0, record } }
}

export function newSeed(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32))
}
