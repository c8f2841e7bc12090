/** Resharing of a set, or to an additional set. */
import { randomUUID } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  additionalSharing,
  codecs,
  decode,
  encode,
  type KeyShare,
  type Party,
  proveShare,
  type ResharePlan,
  reshareDeal,
  reshareReceive,
  SCHEMES,
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import {
  type Answer,
  type Asked,
  ask,
  b64,
  ok,
  operationHash,
  type Target,
  thumbprint,
  toJwk,
  unb64,
} from './request.js'
import { getShare, isFrame, openBoxes, relayKeys, sealFor, type Wallet } from './wallet.js'

export interface ReshareOptions {
  readonly purpose?: 'refresh' | 'reshare' | 'replaceDevice' | 'addDevice'
  readonly scheme?: ThresholdSignatureScheme
  readonly asked?: Partial<Asked>
  /** Dealing party other than C, with a new device key. */
  readonly by?: Party
  readonly change?: (body: Record<string, unknown>) => object
}
export interface Resharing {
  readonly begun: Answer
  readonly next: SetPlan
  readonly shares: readonly KeyShare[]
  readonly transcript: string
  commit(change?: (body: Record<string, unknown>) => object, asked?: Partial<Asked>): Promise<Answer>
  abort(): Promise<Answer>
  /** Returns the wallet after the commit. */
  after(wallet: Wallet, answer: Answer): Wallet
}

const NAMES = {
  refresh: 'refreshWalletAccountShares',
  reshare: 'reshare',
  replaceDevice: 'replaceDevice',
  addDevice: 'addDevice',
}

export async function reshare(target: Target, wallet: Wallet, options: ReshareOptions = {}): Promise<Resharing> {
  const { purpose = 'refresh', scheme = wallet.scheme, by = 'C', change = body => body } = options
  const { person, walletId, setId } = wallet
  const isNew = purpose === 'addDevice'
  const from = getShare(wallet, by).set
  const next: SetPlan = {
    ceremonyId: randomUUID(),
    walletId,
    setId: isNew ? randomUUID() : setId,
    epoch: isNew ? 0 : from.epoch + 1,
    curve: from.curve,
    ...(isNew ? additionalSharing(scheme) : SCHEMES[scheme]),
  }
  const relays = from.parties.filter(party => !isFrame(party))
  const dealers: Party[] = [by, ...relays.slice(0, from.threshold - 1)]
  const plan: ResharePlan = { from, dealers, next }
  const device = by === 'C' ? wallet.device : newKey()
  const pair = sealingKeyPair()
  const { dealing, subShares } = reshareDeal(plan, getShare(wallet, by))
  const op = NAMES[purpose]
  const asked: Asked = {
    op,
    hash: purpose === 'reshare' ? operationHash(op, wallet.scheme, scheme) : operationHash(op),
    address: wallet.address,
    device,
    walletId,
    setId: by === 'C' ? setId : next.setId,
    epoch: by === 'C' ? wallet.epoch : 0,
    ...options.asked,
  }
  const dealerContext = Buffer.from(JSON.stringify(['keybay-dealer', next.ceremonyId, walletId, thumbprint(device)]))
  const body = {
    ceremonyId: next.ceremonyId,
    purpose,
    setId,
    newSetId: next.setId,
    newScheme: scheme,
    dealers,
    sealingKey: b64(pair.publicKey),
    dealings: [b64(encode(codecs.reshareDealing, dealing))],
    subShares: sealFor(next, await relayKeys(target), subShares),
    ...(by !== 'C' && { deviceKey: toJwk(device), proofs: [b64(proveShare(getShare(wallet, by), dealerContext))] }),
  }
  const path = `/wallets/${walletId}/reshare`
  const begun = await ask(target, person, `${path}/begin`, change(body), asked)
  const dealt = begun.status === 200 ? begun.body : { dealings: [], subShares: [], transcript: '' }
  const dealings = [dealing, ...dealt.dealings.map((dealing: string) => decode(codecs.reshareDealing, unb64(dealing)))]
  const received = [...openBoxes(next, pair, dealt.subShares), ...subShares]
  const shares =
    begun.status === 200
      ? next.parties.filter(isFrame).map(party => {
          const own = received.filter(({ to }) => to === party).map(one => ({ ...one, secret: one.secret.slice() }))
          return reshareReceive(plan, party, dealings, own).share
        })
      : []
  const context = Buffer.from(JSON.stringify(['keybay-epoch', next.ceremonyId, dealt.transcript]))
  const proofs = shares.map(share => b64(proveShare(share, context)))
  // The ceremony continues with the set's key or the new key, and names the new set.
  const going = { ...asked, setId: next.setId }
  return {
    begun,
    next,
    shares,
    transcript: dealt.transcript,
    commit: (alter = body => body, more = {}) => {
      const body = { ceremonyId: next.ceremonyId, transcript: dealt.transcript, proofs }
      return ask(target, person, `${path}/commit`, alter(body), { ...going, ...more })
    },
    abort: () => ask(target, person, `${path}/abort`, { ceremonyId: next.ceremonyId }, going),
    after: (before, answer) => ({
      ...before,
      device,
      scheme,
      setId: next.setId,
      shares,
      epoch: next.epoch,
      record: ok(answer).wallet.sets.find((set: { setId: string }) => set.setId === next.setId).record,
    }),
  }
}
