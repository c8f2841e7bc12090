/** CPU time at R1 of a wallet's creation and of a refresh of its shares, with all checks. */
import { randomUUID } from 'node:crypto'
import * as mpc from '@keybay/waas/mpc'
import * as v from 'valibot'
import { creationContext } from '../ceremonies/proofs.js'
import { getThumbprint, sha256 } from '../crypto/jwk.js'
import { toText } from '../http/fields.js'
import { policyText } from '../policy/index.js'
import { newKey, type RelayProcess, startRelayProcess, toJwk } from './relay-process.js'
import { makeRequest, type Operation, operationHash, type Place, type Request, send } from './requests.js'

const { codecs, decode, encode } = mpc

const boxes = v.array(v.object({ from: v.picklist(mpc.PARTIES), to: v.picklist(mpc.PARTIES), box: v.string() }))
const responses = {
  party: v.object({ sealingKey: v.string() }),
  begun: v.object({ commitments: v.array(v.string()) }),
  opened: v.object({ openings: v.array(v.string()), subShares: boxes }),
  finished: v.object({ wallet: v.object({ address: v.string() }) }),
  dealt: v.object({ dealings: v.array(v.string()), subShares: boxes, transcript: v.string() }),
}

interface Frame {
  readonly place: Place
  readonly keys: mpc.SealingKeyPair
  readonly relayKey: Uint8Array
  ask(path: string, content: object, operation: Operation): Promise<unknown>
}
interface Wallet extends Frame {
  readonly address: string
  readonly share: mpc.KeyShare
}

function fromText(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

function seal({ relayKey }: Frame, plan: mpc.SetPlan, subShares: readonly mpc.SubShare[]) {
  return subShares.map(subShare => {
    const { from, to } = subShare
    const box = mpc.sealPrivate(relayKey, mpc.sealContext(plan, from, to), encode(codecs.subShare, subShare))
    return { from, to, box: toText(box) }
  })
}

function open({ keys }: Frame, plan: mpc.SetPlan, sealed: v.InferOutput<typeof boxes>): mpc.SubShare[] {
  return sealed.map(({ from, to, box }) =>
    decode(codecs.subShare, mpc.openPrivate(keys, mpc.sealContext(plan, from, to), fromText(box))),
  )
}

async function create(relay: RelayProcess, relayKey: Uint8Array): Promise<Wallet> {
  const [ceremonyId, walletId, setId] = [randomUUID(), randomUUID(), randomUUID()]
  const plan: mpc.SetPlan = { ceremonyId, walletId, setId, epoch: 0, curve: 'ed25519', ...mpc.SCHEMES.TWO_OF_TWO }
  const place = { walletId, setId, device: newKey() }
  const ask = (path: string, content: object, operation: Operation) =>
    send(makeRequest(relay, place, path, content, operation))
  const frame: Frame = { place, keys: mpc.sealingKeyPair(), relayKey, ask }
  const op = 'createWalletAccount'
  const [chainName, scheme, exportable] = ['SOL', 'TWO_OF_TWO', false] as const
  const operation = { op, hash: operationHash(op, chainName, scheme, exportable) }
  const post = (step: string, content: object) => ask(`/wallets/create/${step}`, { ceremonyId, ...content }, operation)

  const started = mpc.dkgStart(plan, 'C')
  const ownCommitment = toText(encode(codecs.dkgCommitment, started.message))
  const deviceKey = toJwk(place.device)
  const facts = { walletId, setId, chainName, scheme, exportable, deviceKey }
  const sealingKey = toText(frame.keys.publicKey)
  const begun = v.parse(responses.begun, await post('begin', { ...facts, sealingKey, commitments: [ownCommitment] }))
  const commitments = [ownCommitment, ...begun.commitments]
  const all = commitments.map(commitment => decode(codecs.dkgCommitment, fromText(commitment)))
  const opened = mpc.dkgOpen(started.state, all)
  const ownOpening = toText(encode(codecs.dkgOpening, opened.message))
  const answer = v.parse(responses.opened, await post('open', { commitments, openings: [ownOpening] }))
  const openings = [ownOpening, ...answer.openings].map(opening => decode(codecs.dkgOpening, fromText(opening)))
  const dealt = mpc.dkgDeal(opened.state, openings)
  const subShares = seal(frame, plan, dealt.message)
  const outcome = mpc.dkgFinish(dealt.state, open(frame, plan, answer.subShares))
  const transcript = toText(outcome.transcript)
  const context = creationContext(ceremonyId, transcript, getThumbprint(deviceKey))
  const proofs = [toText(mpc.proveShare(outcome.share, context))]
  const { wallet } = v.parse(responses.finished, await post('finish', { subShares, transcript, proofs }))
  return { ...frame, address: wallet.address, share: outcome.share }
}

async function refresh(wallet: Wallet): Promise<void> {
  const { place, keys, share, address, ask } = wallet
  const { walletId, setId } = place
  const from = share.set
  const next: mpc.SetPlan = { ...from, ceremonyId: randomUUID(), epoch: from.epoch + 1 }
  const policyHash = sha256(policyText(null))
  const plan: mpc.ResharePlan = { from, dealers: ['C', 'R1'], next, policyHash: fromText(policyHash) }
  const { dealing, subShares } = mpc.reshareDeal(plan, share)
  const { ceremonyId } = next
  const context = Buffer.from(
    JSON.stringify(['keybay-dealer', ceremonyId, walletId, getThumbprint(toJwk(place.device))]),
  )
  const ownDealing = toText(encode(codecs.reshareDealing, dealing))
  const request = {
    ceremonyId,
    setId,
    newSetId: setId,
    newScheme: 'TWO_OF_TWO',
    dealers: plan.dealers,
    policyHash,
    dealings: [ownDealing],
    proofs: [toText(mpc.proveShare(share, context))],
    purpose: 'refresh',
    sealingKey: toText(keys.publicKey),
    subShares: seal(
      wallet,
      next,
      subShares.filter(({ to }) => to === 'R1'),
    ),
  }
  const op = 'refreshWalletAccountShares'
  const operation = { op, hash: operationHash(op), wallet: address, epoch: from.epoch }
  const path = `/wallets/${walletId}/reshare`
  const begun = v.parse(responses.dealt, await ask(`${path}/begin`, request, operation))
  const dealings = [ownDealing, ...begun.dealings].map(text => decode(codecs.reshareDealing, fromText(text)))
  const received = [...open(wallet, next, begun.subShares), ...subShares.filter(({ to }) => to === 'C')]
  const renewed = mpc.reshareReceive(plan, 'C', dealings, received).share
  const { transcript } = begun
  const proof = mpc.proveShare(renewed, Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, transcript])))
  await ask(`${path}/commit`, { ceremonyId, transcript, proofs: [toText(proof)] }, operation)
}

/**
 * Measures both ceremonies of a 2-of-2 wallet at a warm relay. Linux only.
 *
 * @param count number of measured wallets. Half as many more come before them: with 100, the JIT has compiled everything.
 * @param databaseUrl PostgreSQL; default: PGlite, whose work is the relay's own
 * @returns ms of CPU per ceremony at R1
 * @throws Error when the relay does not start, refuses or does not respond in time
 */
export async function measureCeremonies(
  count: number,
  databaseUrl?: string,
): Promise<{ readonly creationMs: number; readonly reshareMs: number }> {
  const relay = await startRelayProcess(databaseUrl)
  try {
    const party: Request = { url: `${relay.base}/party`, init: {} }
    const relayKey = fromText(v.parse(responses.party, await send(party)).sealingKey)
    const createMany = async (wanted: number): Promise<readonly Wallet[]> => {
      const wallets: Wallet[] = []
      while (wallets.length < wanted) wallets.push(await create(relay, relayKey))
      return wallets
    }
    for (const wallet of await createMany(Math.ceil(1.5 * count))) await refresh(wallet)
    const before = relay.processorTime()
    const wallets = await createMany(count)
    const between = relay.processorTime()
    for (const wallet of wallets) await refresh(wallet)
    const perWallet = (seconds: number) => (seconds * 1000) / count
    return { creationMs: perWallet(between - before), reshareMs: perWallet(relay.processorTime() - between) }
  } finally {
    await relay.stop()
  }
}
