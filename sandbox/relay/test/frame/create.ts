/** Creates and imports wallets. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  acceptDeal,
  codecs,
  type Deal,
  dealCreated,
  dealImported,
  dealTranscript,
  decode,
  dkgDeal,
  dkgFinish,
  dkgOpen,
  dkgStart,
  encode,
  entropyStart,
  groupKey,
  type KeyShare,
  openPrivate,
  type SetPlan,
  sealContext,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import bs58 from 'bs58'
import { newKey, type Person } from '../world.js'
import { type Answer, ask, b64, ok, operationHash, type Target, toJwk, unb64 } from './request.js'
import { type Box, isFrame, newPlan, openBoxes, relayKeys, sealFor, type Wallet } from './wallet.js'

export interface CreateOptions {
  readonly scheme?: ThresholdSignatureScheme
  readonly exportable?: boolean
  readonly chainName?: 'SOL' | 'EVM' | 'BTC'
  /** Sends the last request twice, as after a lost response. */
  readonly twice?: boolean
  /** Sends the last request any number of times. */
  readonly finish?: (send: () => Promise<Answer>) => Promise<Answer>
}

export async function create(target: Target, person: Person, options: CreateOptions = {}): Promise<Wallet> {
  const { scheme = 'TWO_OF_TWO', chainName = 'SOL', exportable = chainName !== 'SOL' } = options
  const plan = newPlan(scheme, chainName === 'SOL' ? 'ed25519' : 'secp256k1')
  const { ceremonyId, walletId, setId } = plan
  const device = newKey()
  const pair = sealingKeyPair()
  const keys = await relayKeys(target)
  const asked = {
    op: 'createWalletAccount',
    hash: operationHash('createWalletAccount', chainName, scheme, exportable),
    device,
    walletId,
    setId,
  }
  const post = async (step: string, body: object) =>
    ok(await ask(target, person, `/wallets/create/${step}`, { ceremonyId, ...body }, asked))
  const finish = async (body: object) => {
    const send = () => ask(target, person, '/wallets/create/finish', { ceremonyId, ...body }, asked)
    if (options.finish) return ok(await options.finish(send))
    const answer = await post('finish', body)
    return options.twice ? post('finish', body) : answer
  }
  const begin = (commitments: readonly string[]) =>
    post('begin', {
      walletId,
      setId,
      chainName,
      scheme,
      exportable,
      deviceKey: toJwk(device),
      sealingKey: b64(pair.publicKey),
      commitments,
    })
  const base = { person, walletId, setId, scheme, device, epoch: 0 }
  if (exportable && chainName === 'SOL') {
    const started = entropyStart(plan, 'C')
    const own = b64(encode(codecs.entropyCommitment, started.message))
    const { commitments } = await begin([own])
    const all = [own, ...commitments]
    const { subShares } = await post('open', { commitments: all, openings: [] })
    const openings = subShares.map(({ from, box }: Box) =>
      decode(codecs.entropyOpening, openPrivate(pair, sealContext(plan, from, 'C'), unb64(box))),
    )
    const deal = dealCreated(
      started.state,
      all.map(one => decode(codecs.entropyCommitment, unb64(one))),
      openings,
    )
    const shares = ownShares(plan, deal)
    const { wallet } = await finish(dealBody(plan, keys, deal))
    return { ...base, address: wallet.address, shares, record: wallet.sets[0].record }
  }
  const mine = plan.parties.filter(isFrame)
  const started = mine.map(party => dkgStart(plan, party))
  const own = started.map(({ message }) => b64(encode(codecs.dkgCommitment, message)))
  const { commitments } = await begin(own)
  const all = [...own, ...commitments].map(one => decode(codecs.dkgCommitment, unb64(one)))
  const opened = started.map(({ state }) => dkgOpen(state, all))
  const ownOpenings = opened.map(({ message }) => b64(encode(codecs.dkgOpening, message)))
  const answer = await post('open', { commitments: [...own, ...commitments], openings: ownOpenings })
  const openings = [...ownOpenings, ...answer.openings].map(ownOpening => decode(codecs.dkgOpening, unb64(ownOpening)))
  const dealt = opened.map(({ state }) => dkgDeal(state, openings))
  const between = dealt.flatMap(({ message }) => message.map(one => ({ ...one, secret: one.secret.slice() })))
  const received = [...openBoxes(plan, pair, answer.subShares), ...between]
  const outcomes = dealt.map(({ state }, index) =>
    dkgFinish(
      state,
      received.filter(({ to }) => to === mine[index]).map(one => ({ ...one, secret: one.secret.slice() })),
    ),
  )
  const transcript = b64(outcomes[0]?.transcript ?? new Uint8Array())
  const { wallet } = await finish({ subShares: sealFor(plan, keys, between), transcript })
  return { ...base, address: wallet.address, shares: outcomes.map(({ share }) => share), record: wallet.sets[0].record }
}

function ownShares(plan: SetPlan, deal: Deal): KeyShare[] {
  return plan.parties.filter(isFrame).map(party => {
    const subShare = deal.subShares.find(({ to }) => to === party)
    if (!subShare) throw new Error(party)
    return acceptDeal(plan, party, deal, { ...subShare, secret: subShare.secret.slice() }).share
  })
}

function dealBody(plan: SetPlan, keys: Record<string, Uint8Array>, deal: Deal) {
  return {
    package: b64(encode(codecs.dealPackage, { set: deal.set, sealedSeed: deal.sealedSeed })),
    subShares: sealFor(plan, keys, deal.subShares),
    transcript: b64(dealTranscript(deal)),
  }
}

export async function importKey(
  target: Target,
  person: Person,
  seed: Uint8Array,
  scheme: ThresholdSignatureScheme = 'TWO_OF_TWO',
  change: (body: Record<string, unknown>) => object = body => body,
): Promise<{ answer: Answer; wallet: Wallet; again(): Promise<Answer> }> {
  const plan = newPlan(scheme)
  const { ceremonyId, walletId, setId } = plan
  const device = newKey()
  const deal = dealImported(plan, seed.slice())
  const shares = ownShares(plan, deal)
  const body = {
    ceremonyId,
    walletId,
    setId,
    chainName: 'SOL',
    scheme,
    deviceKey: toJwk(device),
    ...dealBody(plan, await relayKeys(target), deal),
  }
  const asked = {
    op: 'importPrivateKey',
    hash: operationHash('importPrivateKey', 'SOL', scheme),
    device,
    walletId,
    setId,
  }
  const again = () => ask(target, person, '/wallets/import', change(body), asked)
  const answer = await again()
  const address = bs58.encode(groupKey(deal.set))
  const record = answer.body?.wallet?.sets[0].record ?? ''
  return { answer, again, wallet: { person, walletId, setId, address, scheme, device, shares, epoch: 0, record } }
}
