/** What a frame does, in plain Node, over the relay's public interface: authority, ceremonies by mpc, signatures. */
import { createHash, type KeyObject, randomUUID, sign as signBytes } from 'node:crypto'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import {
  acceptDeal,
  additionalSharing,
  anyPoint,
  codecs,
  createFrameSigner,
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
  type Party,
  proveShare,
  type ResharePlan,
  reshareDeal,
  reshareReceive,
  SCHEMES,
  type SealingKeyPair,
  type SetPlan,
  type SubShare,
  sealContext,
  sealingKeyPair,
  sealPrivate,
} from '@keybay/waas/mpc'
import bs58 from 'bs58'
import { APP, newKey, type Person } from './world.js'

export const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
export const unb64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')
export const operationHash = (op: string, ...facts: readonly (string | boolean)[]): string =>
  sha256(JSON.stringify([op, ...facts]))

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
export const jws = (key: KeyObject, typ: string, claims: object): string => {
  const signed = `${part({ alg: 'ES256', typ })}.${part(claims)}`
  const signature = signBytes('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
const jwkOf = (key: KeyObject) => {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  return { kty, crv, x, y }
}
const thumbprint = (key: KeyObject): string => {
  const { kty, crv, x, y } = jwkOf(key)
  return sha256(JSON.stringify({ crv, kty, x, y }))
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every route, and expect says what it must be
  readonly body: any
}
export interface Asked {
  readonly op: string
  readonly hash: string
  readonly address?: string
  readonly device?: KeyObject
  readonly walletId?: string
  readonly setId?: string
  readonly epoch?: number
  readonly signers?: readonly string[]
  readonly consent?: boolean
  readonly mfaToken?: string
  /** Claims that differ; or no signature at all. */
  readonly session?: object | false
  readonly claims?: object | false
  readonly headers?: Readonly<Record<string, string>>
  /** Sent instead of what was signed. */
  readonly rawBody?: string
}
/** Where requests go: an address, or one for each request in turn. */
export interface Target {
  next(): { readonly internalUrl: string; readonly clock: { now(): number } }
}
export const only = (relay: ReturnType<Target['next']>): Target => ({ next: () => relay })

export const headersOf = (person: Person, now: number, rawBody: string, asked: Asked): Record<string, string> => {
  const iat = Math.floor(now / 1000)
  const { op, hash, address, device, walletId, setId, epoch = 0, signers = [], consent } = asked
  const session = {
    sid: person.sessionId,
    op,
    ...(address !== undefined && { wallet: address }),
    hash,
    origin: APP,
    iat,
    jti: randomUUID(),
    ...asked.session,
  }
  const claims = {
    aud: ['R1', 'R2'],
    env: 'local',
    sub: person.userId,
    op,
    wallet: walletId,
    set: setId,
    epoch,
    signers,
    hash,
    bh: sha256(rawBody),
    iat,
    jti: randomUUID(),
    ...(consent !== undefined && { consent }),
    ...asked.claims,
  }
  return {
    'content-type': 'application/json',
    authorization: `Bearer ${person.kit.token}`,
    ...(asked.session !== false && { 'x-keybay-session': jws(person.key, 'keybay-session+jwt', session) }),
    ...(device && asked.claims !== false && { 'x-keybay-device': jws(device, 'keybay-device+jwt', claims) }),
    ...(asked.mfaToken !== undefined && { 'x-keybay-mfa-token': asked.mfaToken }),
    ...asked.headers,
  }
}

export const send = async (url: string, headers: Record<string, string>, body: string): Promise<Answer> => {
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

export const ask = async (
  target: Target,
  person: Person,
  path: string,
  body: object,
  asked: Asked,
): Promise<Answer> => {
  const relay = target.next()
  const signed = JSON.stringify(body)
  const headers = headersOf(person, relay.clock.now(), signed, asked)
  return send(`${relay.internalUrl}/sdk/local${path}`, headers, asked.rawBody ?? signed)
}
export const ok = ({ status, body }: Answer): Answer['body'] => {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export interface Wallet {
  readonly person: Person
  readonly walletId: string
  readonly setId: string
  readonly address: string
  readonly scheme: ThresholdSignatureScheme
  readonly device: KeyObject
  /** Of the frame's parties. */
  readonly shares: readonly KeyShare[]
  readonly epoch: number
  readonly record: string
}
export const shareOf = (wallet: Pick<Wallet, 'shares'>, party: Party): KeyShare => {
  const share = wallet.shares.find(one => one.party === party)
  if (!share) throw new Error(`no share of ${party}`)
  // A copy: what consumes a share erases it.
  return { ...share, secret: share.secret.slice() }
}

const isFrame = (party: Party) => party === 'C' || party === 'B1' || party === 'B2'
type Box = { from: Party; to: Party; box: string }

const relayKeys = async (target: Target): Promise<Record<string, Uint8Array>> => {
  const party = await (await fetch(`${target.next().internalUrl}/sdk/local/party`)).json()
  return { R1: unb64(party.sealingKey), ...(party.peer && { R2: unb64(party.peer.sealingKey) }) }
}
const sealFor = (plan: SetPlan, keys: Record<string, Uint8Array>, subShares: readonly SubShare[]): Box[] =>
  subShares.flatMap(one => {
    const key = keys[one.to]
    if (!key) return []
    return [
      {
        from: one.from,
        to: one.to,
        box: b64(sealPrivate(key, sealContext(plan, one.from, one.to), encode(codecs.subShare, one))),
      },
    ]
  })
const openBoxes = (plan: SetPlan, pair: SealingKeyPair, boxes: readonly Box[]): SubShare[] =>
  boxes.map(({ from, to, box }) => decode(codecs.subShare, openPrivate(pair, sealContext(plan, from, to), unb64(box))))

const newPlan = (scheme: ThresholdSignatureScheme): SetPlan => ({
  ceremonyId: randomUUID(),
  walletId: randomUUID(),
  setId: randomUUID(),
  epoch: 0,
  curve: 'ed25519',
  ...SCHEMES[scheme],
})

export interface CreateOptions {
  readonly scheme?: ThresholdSignatureScheme
  readonly exportable?: boolean
}

export const create = async (target: Target, person: Person, options: CreateOptions = {}): Promise<Wallet> => {
  const { scheme = 'TWO_OF_TWO', exportable = false } = options
  const plan = newPlan(scheme)
  const { ceremonyId, walletId, setId } = plan
  const device = newKey()
  const pair = sealingKeyPair()
  const keys = await relayKeys(target)
  const asked = {
    op: 'createWalletAccount',
    hash: operationHash('createWalletAccount', 'SOL', scheme, exportable),
    device,
    walletId,
    setId,
  }
  const post = async (step: string, body: object) =>
    ok(await ask(target, person, `/wallets/create/${step}`, { ceremonyId, ...body }, asked))
  const begin = (commitments: readonly string[]) =>
    post('begin', {
      walletId,
      setId,
      chainName: 'SOL',
      scheme,
      exportable,
      deviceKey: jwkOf(device),
      sealingKey: b64(pair.publicKey),
      commitments,
    })
  const base = { person, walletId, setId, scheme, device, epoch: 0 }
  if (exportable) {
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
    const { wallet } = await post('finish', dealBody(plan, keys, deal))
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
  const openings = [...ownOpenings, ...answer.openings].map(one => decode(codecs.dkgOpening, unb64(one)))
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
  const { wallet } = await post('finish', { subShares: sealFor(plan, keys, between), transcript })
  return { ...base, address: wallet.address, shares: outcomes.map(({ share }) => share), record: wallet.sets[0].record }
}

const ownShares = (plan: SetPlan, deal: Deal): KeyShare[] =>
  plan.parties.filter(isFrame).map(party => {
    const subShare = deal.subShares.find(({ to }) => to === party)
    if (!subShare) throw new Error(party)
    return acceptDeal(plan, party, deal, { ...subShare, secret: subShare.secret.slice() }).share
  })
const dealBody = (plan: SetPlan, keys: Record<string, Uint8Array>, deal: Deal) => ({
  package: b64(encode(codecs.dealPackage, { set: deal.set, sealedSeed: deal.sealedSeed })),
  subShares: sealFor(plan, keys, deal.subShares),
  transcript: b64(dealTranscript(deal)),
})

export const importKey = async (
  target: Target,
  person: Person,
  seed: Uint8Array,
  scheme: ThresholdSignatureScheme = 'TWO_OF_TWO',
  change: (body: Record<string, unknown>) => object = body => body,
): Promise<{ answer: Answer; wallet: Wallet }> => {
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
    deviceKey: jwkOf(device),
    ...dealBody(plan, await relayKeys(target), deal),
  }
  const asked = {
    op: 'importPrivateKey',
    hash: operationHash('importPrivateKey', 'SOL', scheme),
    device,
    walletId,
    setId,
  }
  const answer = await ask(target, person, '/wallets/import', change(body), asked)
  const address = bs58.encode(groupKey(deal.set))
  const record = answer.body?.wallet?.sets[0].record ?? ''
  return { answer, wallet: { person, walletId, setId, address, scheme, device, shares, epoch: 0, record } }
}

export type Kind = 'transaction' | 'message' | 'rawMessage'
const OPS = { transaction: 'signTransaction', message: 'signMessage', rawMessage: 'signRawMessage' } as const

export interface SignOptions extends Partial<Asked> {
  readonly kind?: Kind
  readonly body?: object
}
/** Asks the relay; with an answer it finishes the signature. */
export const sign = async (
  target: Target,
  wallet: Wallet,
  message: Uint8Array,
  options: SignOptions = {},
): Promise<Answer & { signature?: Uint8Array }> => {
  const { kind = 'message', body = {}, ...more } = options
  const share = shareOf(wallet, 'C')
  const relays = share.set.parties.filter(party => !isFrame(party))
  const attempt = createFrameSigner(share, relays).begin()
  const commitment = b64(encode(codecs.signCommitment, attempt.commitment))
  const answer = await ask(
    target,
    wallet.person,
    `/wallets/${wallet.walletId}/sign`,
    { setId: wallet.setId, kind, message: b64(message), commitment, ...body },
    {
      op: OPS[kind],
      hash: sha256(message),
      address: wallet.address,
      device: wallet.device,
      walletId: wallet.walletId,
      setId: wallet.setId,
      epoch: wallet.epoch,
      signers: ['C', ...relays],
      ...more,
    },
  )
  if (answer.status !== 200) return answer
  const answers = answer.body.answers.map((one: string) => decode(codecs.signAnswer, unb64(one), anyPoint))
  return { ...answer, signature: attempt.finish(message, answers) }
}

export interface ReshareOptions {
  readonly purpose?: 'refresh' | 'reshare' | 'replaceDevice' | 'addDevice'
  readonly scheme?: ThresholdSignatureScheme
  readonly asked?: Partial<Asked>
  /** Deals as another party than C, with a new device key. */
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
  /** The wallet after the commit. */
  after(wallet: Wallet, answer: Answer): Wallet
}

const NAMES = {
  refresh: 'refreshWalletAccountShares',
  reshare: 'reshare',
  replaceDevice: 'replaceDevice',
  addDevice: 'addDevice',
}

export const reshare = async (target: Target, wallet: Wallet, options: ReshareOptions = {}): Promise<Resharing> => {
  const { purpose = 'refresh', scheme = wallet.scheme, by = 'C', change = body => body } = options
  const { person, walletId, setId } = wallet
  const isNew = purpose === 'addDevice'
  const from = shareOf(wallet, by).set
  const next: SetPlan = {
    ceremonyId: randomUUID(),
    walletId,
    setId: isNew ? randomUUID() : setId,
    epoch: isNew ? 0 : from.epoch + 1,
    curve: 'ed25519',
    ...(isNew ? additionalSharing(scheme) : SCHEMES[scheme]),
  }
  const relays = from.parties.filter(party => !isFrame(party))
  const dealers: Party[] = [by, ...relays.slice(0, from.threshold - 1)]
  const plan: ResharePlan = { from, dealers, next }
  const device = by === 'C' ? wallet.device : newKey()
  const pair = sealingKeyPair()
  const { dealing, subShares } = reshareDeal(plan, shareOf(wallet, by))
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
    ...(by !== 'C' && { deviceKey: jwkOf(device), proofs: [b64(proveShare(shareOf(wallet, by), dealerContext))] }),
  }
  const path = `/wallets/${walletId}/reshare`
  const begun = await ask(target, person, `${path}/begin`, change(body), asked)
  const dealt = begun.status === 200 ? begun.body : { dealings: [], subShares: [], transcript: '' }
  const dealings = [dealing, ...dealt.dealings.map((one: string) => decode(codecs.reshareDealing, unb64(one)))]
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
  // The key that goes on: of the set, or the new one; the ceremony names the new set.
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

/** A new device asks, the wallet's own device sees it and deals for it, and the new one takes its share and commits. */
export const join = async (target: Target, wallet: Wallet) => {
  const { person, walletId, address } = wallet
  const [device, pair, joinId, setId] = [newKey(), sealingKeyPair(), randomUUID(), randomUUID()]
  const base = { op: 'addDevice', hash: operationHash('addDevice'), address, walletId }
  const asNew = { ...base, device, setId }
  const asOld = { ...base, device: wallet.device, setId: wallet.setId, epoch: wallet.epoch }
  const path = `/wallets/${walletId}`
  const sealingKey = b64(pair.publicKey)
  const opening = { joinId, setId, kind: 'device', deviceKey: jwkOf(device), sealingKey, name: 'Tablet' }
  ok(await ask(target, person, `${path}/joins/open`, opening, asNew))
  const take = async () => ok(await ask(target, person, `${path}/joins/take`, { joinId }, asNew))
  const waiting = await take()
  const { joins } = ok(await ask(target, person, `${path}/joins/list`, {}, asOld))
  const from = shareOf(wallet, 'C').set
  const relays = from.parties.filter(party => !isFrame(party))
  const ceremonyId = randomUUID()
  const next: SetPlan = { ceremonyId, walletId, setId, epoch: 0, curve: 'ed25519', ...additionalSharing(wallet.scheme) }
  const dealers: Party[] = ['C', ...relays.slice(0, from.threshold - 1)]
  const plan: ResharePlan = { from, dealers, next }
  const { dealing, subShares } = reshareDeal(plan, shareOf(wallet, 'C'))
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
  const dealings = dealt.dealings.map((one: string) => decode(codecs.reshareDealing, unb64(one)))
  const { share } = reshareReceive(plan, 'C', dealings, openBoxes(next, pair, dealt.subShares))
  const context = Buffer.from(JSON.stringify(['keybay-epoch', ceremonyId, dealt.transcript]))
  const commit = { ceremonyId, transcript: dealt.transcript, proofs: [b64(proveShare(share, context))] }
  const answer = await ask(target, person, `${path}/reshare/commit`, commit, asNew)
  const joined: Wallet = { ...wallet, device, setId, shares: [share], epoch: 0 }
  return { waiting, joins, code: thumbprint(device).slice(0, 6), answer, joined }
}
