/** A delegate server: it makes its keys, the user deals for it, and it calls the relay without the user. */
import type { KeyObject } from 'node:crypto'
import { codecs, encode, reshareReceive, type SealingKeyPair, sealingKeyPair } from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import { type Asked, ask, b64, getHeaders, ok, operationHash, policyJson, send, type Target, toJwk } from './request.js'
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

export interface DelegateServer {
  readonly key: KeyObject
  readonly pair: SealingKeyPair
  /** Entry in the operator's list. */
  readonly listed: { readonly name: string; readonly sealingKey: string; readonly deviceKey: ReturnType<typeof toJwk> }
}

export function newDelegate(name = 'Salaries'): DelegateServer {
  const [key, pair] = [newKey(), sealingKeyPair()]
  return { key, pair, listed: { name, sealingKey: b64(pair.publicKey), deviceKey: toJwk(key) } }
}

/** Sends a request as the delegate: with its own signature and no token. */
export const askAlone: typeof ask = async (target, user, path, body, operation) => {
  const relay = target.next()
  const text = JSON.stringify(body)
  const { authorization: _, 'x-keybay-session': __, ...headers } = getHeaders(user, relay.clock.now(), text, operation)
  return send(`${relay.internalUrl}/sdk/local${path}`, headers, text)
}

const OP = 'delegateKeyShares'
/** Returns the hash that a session signs for a delegation: the server, its name and the whole policy. */
export function delegationHash({ listed }: Pick<DelegateServer, 'listed'>, policy?: object): string {
  return operationHash(OP, listed.sealingKey, listed.name, policyJson(policy ?? null))
}

/**
 * Deals for a delegate as the user, and returns the delegate's next steps. @param signed hash to sign, when it differs
 * from the request
 */
export async function delegateTo(
  target: Target,
  wallet: Wallet,
  server: DelegateServer,
  { withR2 = true, ...more }: { readonly policy?: object; readonly withR2?: boolean },
  signed: Partial<Asked> = {},
) {
  const { user, walletId, address, scheme } = wallet
  const next = additionalPlan(wallet, { withR2 })
  const { setId, ceremonyId } = next
  const { plan, subShares, body } = deal(wallet, next, scheme, 'C', more)
  const boxes = sealFor(next, { ...(await relayKeys(target)), C: server.pair.publicKey }, subShares)
  const ours = boxes.filter(({ to }) => to === 'C')
  const request = {
    ...body,
    purpose: 'delegate',
    sealingKey: b64(server.pair.publicKey),
    subShares: boxes,
    withR2,
    ...more,
  }
  const asUser = asDevice(wallet, OP, { consent: true, hash: delegationHash(server, more.policy), ...signed })
  const begun = await ask(target, user, `/wallets/${walletId}/reshare/begin`, request, asUser)
  const accept = async (by = askAlone, device = server.key) => {
    const { dealings, subShares, transcript } = ok(begun)
    const all = readDealings([...body.dealings, ...dealings])
    const { share } = reshareReceive(plan, 'C', all, openBoxes(next, server.pair, [...ours, ...subShares]))
    const commit = commitBody(ceremonyId, transcript, [share])
    const asDelegate = { op: OP, hash: operationHash(OP), address, walletId, device, setId }
    const answer = await by(target, user, `/wallets/${walletId}/reshare/commit`, commit, asDelegate)
    return { answer, own: { ...wallet, device: server.key, setId, shares: [share], epoch: 0 } satisfies Wallet }
  }
  /** Returns the sealed share as the page passes it on. */
  const sealedShare = (): Uint8Array => {
    const { dealings, subShares, transcript } = ok(begun)
    const dealt = {
      ceremonyId,
      from: b64(encode(codecs.shareSet, plan.from)),
      dealers: plan.dealers,
      policyHash: body.policyHash,
      dealings: [...body.dealings, ...dealings],
      subShares: [...ours, ...subShares],
      transcript,
    }
    const ids = { version: 1, environmentId: 'local', user: user.userId, walletId, setId, address }
    return new TextEncoder().encode(JSON.stringify({ ...ids, scheme, dealt }))
  }
  return { begun, setId, next, accept, sealedShare }
}
