/** Joins another device to a wallet. */
import { randomUUID } from 'node:crypto'
import { reshareReceive, sealingKeyPair } from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import { ask, b64, ok, type Target, thumbprint, toJwk } from './request.js'
import {
  additionalPlan,
  asDevice,
  commitBody,
  deal,
  openBoxes,
  readDealings,
  relayKeys,
  sealFor,
  type Wallet,
} from './wallet.js'

/** Runs a join: a new device requests it, the wallet's device sees and deals it, the new device commits its share. */
export async function join(target: Target, wallet: Wallet) {
  const { user, walletId, scheme } = wallet
  const [device, pair, joinId, next] = [newKey(), sealingKeyPair(), randomUUID(), additionalPlan(wallet)]
  const { setId, ceremonyId } = next
  const asOld = asDevice(wallet, 'addDevice')
  const asNew = { ...asOld, device, setId, epoch: 0 }
  const path = `/wallets/${walletId}`
  const sealingKey = b64(pair.publicKey)
  const opening = { joinId, setId, kind: 'device', deviceKey: toJwk(device), sealingKey, name: 'Tablet' }
  ok(await ask(target, user, `${path}/joins/open`, opening, asNew))
  const take = async () => ok(await ask(target, user, `${path}/joins/take`, { joinId }, asNew))
  const waiting = await take()
  const { joins } = ok(await ask(target, user, `${path}/joins/list`, {}, asOld))
  const { plan, subShares, body } = deal(wallet, next, scheme)
  const keys = { ...(await relayKeys(target)), C: pair.publicKey }
  const dealing = { ...body, purpose: 'addDevice', sealingKey, subShares: sealFor(next, keys, subShares), joinId }
  ok(await ask(target, user, `${path}/reshare/begin`, dealing, asOld))
  const dealt = await take()
  const { share } = reshareReceive(plan, 'C', readDealings(dealt.dealings), openBoxes(next, pair, dealt.subShares))
  const commit = commitBody(ceremonyId, dealt.transcript, [share])
  const answer = await ask(target, user, `${path}/reshare/commit`, commit, asNew)
  const joined: Wallet = { ...wallet, device, setId, shares: [share], epoch: 0 }
  return { waiting, joins, deviceKey: thumbprint(device), sealingKey, answer, joined }
}
