/** Joins another device to a wallet. */
import { randomUUID } from 'node:crypto'
import {
  additionalSharing,
  codecs,
  decode,
  encode,
  type Party,
  proveShare,
  type ResharePlan,
  reshareDeal,
  reshareReceive,
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import { ask, b64, ok, operationHash, type Target, thumbprint, toJwk, unb64 } from './request.js'
import { getShare, isFrame, openBoxes, relayKeys, sealFor, type Wallet } from './wallet.js'

/** Runs a join: a new device requests it, the wallet's device sees and deals it, the new device commits its share. */
export async function join(target: Target, wallet: Wallet) {
  const { person, walletId, address } = wallet
  const [device, pair, joinId, setId] = [newKey(), sealingKeyPair(), randomUUID(), randomUUID()]
  const base = { op: 'addDevice', hash: operationHash('addDevice'), address, walletId }
  const asNew = { ...base, device, setId }
  const asOld = { ...base, device: wallet.device, setId: wallet.setId, epoch: wallet.epoch }
  const path = `/wallets/${walletId}`
  const sealingKey = b64(pair.publicKey)
  const opening = { joinId, setId, kind: 'device', deviceKey: toJwk(device), sealingKey, name: 'Tablet' }
  ok(await ask(target, person, `${path}/joins/open`, opening, asNew))
  const take = async () => ok(await ask(target, person, `${path}/joins/take`, { joinId }, asNew))
  const waiting = await take()
  const { joins } = ok(await ask(target, person, `${path}/joins/list`, {}, asOld))
  const from = getShare(wallet, 'C').set
  const relays = from.parties.filter(party => !isFrame(party))
  const ceremonyId = randomUUID()
  const next: SetPlan = { ceremonyId, walletId, setId, epoch: 0, curve: 'ed25519', ...additionalSharing(wallet.scheme) }
  const dealers: Party[] = ['C', ...relays.slice(0, from.threshold - 1)]
  const plan: ResharePlan = { from, dealers, next }
  const { dealing, subShares } = reshareDeal(plan, getShare(wallet, 'C'))
  const keys = { ...(await relayKeys(target)), C: pair.publicKey }
  const body = {
    ceremonyId,
    purpose: 'addDevice',
    setId: wallet.setId,
    newSetId: setId,
    newScheme: wallet.scheme,
    dealers,
    sealingKey,
    dealings: [b64(encode(codecs.reshareDealing, dealing))],
    subShares: sealFor(next, keys, subShares),
    joinId,
  }
  ok(await ask(target, person, `${path}/reshare/begin`, body, asOld))
  const dealt = await take()
  const dealings = dealt.dealings.map((dealing: string) => decode(codecs.reshareDealing, unb64(dealing)))
  const { share } = reshareReceive(plan, 'C', dealings, openBoxes(next, pair, dealt.subShares))
  const context = Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, dealt.transcript]))
  const commit = { ceremonyId, transcript: dealt.transcript, proofs: [b64(proveShare(share, context))] }
  const answer = await ask(target, person, `${path}/reshare/commit`, commit, asNew)
  const joined: Wallet = { ...wallet, device, setId, shares: [share], epoch: 0 }
  return { waiting, joins, deviceKey: thumbprint(device), sealingKey, answer, joined }
}
