/** A delegate server: it makes its keys, the user deals for it, and it calls the relay without the user. */
import { type KeyObject, randomUUID } from 'node:crypto'
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
  type SealingKeyPair,
  type SetPlan,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import { newKey } from '../world.js'
import { policyJson } from './policy.js'
import { type Asked, ask, b64, getHeaders, ok, operationHash, send, type Target, toJwk, unb64 } from './request.js'
import { getShare, isFrame, openBoxes, relayKeys, sealFor, type Wallet } from './wallet.js'

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
export const askAlone: typeof ask = async (target, person, path, body, asked) => {
  const relay = target.next()
  const text = JSON.stringify(body)
  const { authorization: _, 'x-keybay-session': __, ...headers } = getHeaders(person, relay.clock.now(), text, asked)
  return send(`${relay.internalUrl}/sdk/local${path}`, headers, text)
}

const OP = 'delegateKeyShares'
/** Returns the hash that a session signs for a delegation: the server, its name and the whole policy. */
export function delegationHash(
  { listed: { sealingKey, name } }: Pick<DelegateServer, 'listed'>,
  policy?: object,
): string {
  return operationHash(OP, sealingKey, name, policyJson(policy ?? null))
}

/**
 * Deals for a delegate as the user, and returns the delegate's next steps.
 *
 * @param signed hash to sign, when it differs from the request
 */
export async function delegateTo(
  target: Target,
  wallet: Wallet,
  server: DelegateServer,
  more: { readonly policy?: object },
  signed: Partial<Asked> = {},
) {
  const { person, walletId, address } = wallet
  const setId = randomUUID()
  const asked = { op: OP, hash: operationHash(OP), address, walletId }
  const from = getShare(wallet, 'C').set
  const relays = from.parties.filter(party => !isFrame(party))
  const ceremonyId = randomUUID()
  const next: SetPlan = {
    ceremonyId,
    walletId,
    setId,
    epoch: 0,
    curve: from.curve,
    ...additionalSharing(wallet.scheme),
  }
  const dealers: Party[] = ['C', ...relays.slice(0, from.threshold - 1)]
  const plan: ResharePlan = { from, dealers, next }
  const { dealing, subShares } = reshareDeal(plan, getShare(wallet, 'C'))
  const boxes = sealFor(next, { ...(await relayKeys(target)), C: server.pair.publicKey }, subShares)
  const body = {
    ceremonyId,
    purpose: 'delegate',
    setId: wallet.setId,
    newSetId: setId,
    newScheme: wallet.scheme,
    dealers,
    sealingKey: b64(server.pair.publicKey),
    dealings: [b64(encode(codecs.reshareDealing, dealing))],
    subShares: boxes,
    ...more,
  }
  const byDevice = { device: wallet.device, setId: wallet.setId, epoch: wallet.epoch, consent: true }
  const asPerson = { ...asked, ...byDevice, hash: delegationHash(server, more.policy), ...signed }
  const begun = await ask(target, person, `/wallets/${walletId}/reshare/begin`, body, asPerson)
  const asDelegate = { ...asked, device: server.key, setId }
  const accept = async (by = askAlone, key = server.key) => {
    const { dealings: theirs, subShares: relayBoxes, transcript } = ok(begun)
    const mine = boxes.filter(({ to }) => to === 'C')
    const dealings = [dealing, ...theirs.map((their: string) => decode(codecs.reshareDealing, unb64(their)))]
    const { share } = reshareReceive(plan, 'C', dealings, openBoxes(next, server.pair, [...mine, ...relayBoxes]))
    const context = Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, transcript]))
    const commit = { ceremonyId, transcript, proofs: [b64(proveShare(share, context))] }
    const answer = await by(target, person, `/wallets/${walletId}/reshare/commit`, commit, {
      ...asDelegate,
      device: key,
    })
    return { answer, own: { ...wallet, device: server.key, setId, shares: [share], epoch: 0 } satisfies Wallet }
  }
  /** Returns the sealed share as the page passes it on. */
  const sealedShare = (): Uint8Array => {
    const theirs = ok(begun)
    const dealt = {
      ceremonyId,
      from: b64(encode(codecs.shareSet, from)),
      dealers,
      dealings: [...body.dealings, ...theirs.dealings],
      subShares: [...boxes.filter(({ to }) => to === 'C'), ...theirs.subShares],
      transcript: theirs.transcript,
    }
    const ids = { version: 1, environmentId: 'local', user: person.userId, walletId, setId, address }
    return new TextEncoder().encode(JSON.stringify({ ...ids, scheme: wallet.scheme, dealt }))
  }
  return { begun, accept, sealedShare }
}
