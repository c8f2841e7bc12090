/** Resharing of a set, or to an additional set. */
import { randomUUID } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { type KeyShare, type Party, reshareReceive, SCHEMES, type SetPlan, sealingKeyPair } from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import { type Answer, type Asked, ask, b64, ok, operationHash, type Target, toJwk } from './request.js'
import {
  additionalPlan,
  asDevice,
  commitBody,
  copy,
  deal,
  getShare,
  isFrame,
  openBoxes,
  readDealings,
  relayKeys,
  sealFor,
  type Wallet,
} from './wallet.js'

type Change = (body: Record<string, unknown>) => object
export interface ReshareOptions {
  readonly purpose?: 'refresh' | 'reshare' | 'replaceDevice' | 'addDevice'
  readonly scheme?: ThresholdSignatureScheme
  readonly asked?: Partial<Asked>
  /** Dealing party other than C, with a new device key. */
  readonly by?: Party
  /** ID of an additional set; default: a new one. */
  readonly newSetId?: string
  readonly change?: Change
  /** Sends the first request in another way. */
  readonly send?: typeof ask
  /** Sealing keys of the relays; default: asks R1 for them once. */
  readonly keys?: Readonly<Record<string, Uint8Array>>
}
export interface Resharing {
  readonly begun: Answer
  readonly next: SetPlan
  readonly shares: readonly KeyShare[]
  readonly transcript: string
  commit(change?: Change, asked?: Partial<Asked>): Promise<Answer>
  abort(): Promise<Answer>
  /** Returns the wallet after the commit. */
  after(wallet: Wallet, answer: Answer): Wallet
}

export async function reshare(target: Target, wallet: Wallet, options: ReshareOptions = {}): Promise<Resharing> {
  const { purpose = 'refresh', scheme = wallet.scheme, by = 'C', change = body => body } = options
  const { user, walletId, setId } = wallet
  const { epoch, curve } = getShare(wallet, by).set
  const next: SetPlan =
    purpose === 'addDevice'
      ? additionalPlan({ ...wallet, scheme }, { setId: options.newSetId })
      : { ceremonyId: randomUUID(), walletId, setId, epoch: epoch + 1, curve, ...SCHEMES[scheme] }
  const isNewDevice = by !== 'C'
  const device = isNewDevice ? newKey() : wallet.device
  const pair = sealingKeyPair()
  const { plan, subShares, body } = deal(wallet, next, scheme, by, { device })
  const op = purpose === 'refresh' ? 'refreshWalletAccountShares' : purpose
  const operation: Asked = asDevice(wallet, op, {
    ...(purpose === 'reshare' && { hash: operationHash(op, wallet.scheme, scheme) }),
    ...(isNewDevice && { device, setId: next.setId, epoch: 0 }),
    ...options.asked,
  })
  const { ceremonyId } = next
  const request = {
    ...body,
    purpose,
    sealingKey: b64(pair.publicKey),
    subShares: sealFor(next, options.keys ?? (await relayKeys(target)), subShares),
    ...(isNewDevice && { deviceKey: toJwk(device) }),
  }
  const path = `/wallets/${walletId}/reshare`
  const begun = await (options.send ?? ask)(target, user, `${path}/begin`, change(request), operation)
  const hasBegun = begun.status === 200
  const dealt = hasBegun ? begun.body : { dealings: [], subShares: [], transcript: '' }
  const dealings = readDealings([...body.dealings, ...dealt.dealings])
  const received = [...openBoxes(next, pair, dealt.subShares), ...subShares]
  const receive = (party: Party) =>
    reshareReceive(plan, party, dealings, received.filter(({ to }) => to === party).map(copy)).share
  const shares = hasBegun ? next.parties.filter(isFrame).map(receive) : []
  const { transcript } = dealt
  // Repeats send the same proofs.
  const proved = commitBody(ceremonyId, transcript, shares)
  // The ceremony continues with the set's key or the new key, and names the new set.
  const going = { ...operation, setId: next.setId }
  return {
    begun,
    next,
    shares,
    transcript,
    commit: (alter = body => body, more = {}) =>
      ask(target, user, `${path}/commit`, alter(proved), { ...going, ...more }),
    abort: () => ask(target, user, `${path}/abort`, { ceremonyId }, going),
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
