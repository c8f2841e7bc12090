/** Users who sign in, renew, sign and reshare all the time, and remember what a service has confirmed to them. */
import { createPublicKey, verify } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createKit, type Kit, newKey, readCode } from '@keybay/sandbox-api/testing/client'
import {
  ask,
  b64,
  create,
  getHeaders,
  list,
  only,
  READ,
  relayKeys,
  reshare,
  send,
  sha256,
  sign,
  text,
  type Wallet,
} from '@keybay/sandbox-relay/testing/frame/index'
import type { User } from '@keybay/sandbox-relay/testing/world'
import { groupKey } from '@keybay/waas/mpc'
import { type Fleet, ORIGIN } from './fleet.js'

/** How long a user tries to get an answer, in ms: longer than an instance takes to start on a busy machine. */
const PATIENCE_MS = 120_000
/** Longest wait that a user accepts from a rate limit, in seconds. */
const MAX_WAIT_S = 60
/** Fewer for all users together than codes that a site may send in 15 minutes. */
const MAX_SIGN_UPS = 20
/** Relays know a nonce for as long as they accept the request's time, which is a minute. */
const SPENT_MS = 50_000
const MAX_REPEATED = 20
/** Error of a sign-in code that was used. */
const USED_CODE = 'wrong_email_verification_token'
/** Error of a signature whose wallet has new shares since, whatever its nonce. */
const OTHER_EPOCH = 'epoch_mismatch'
const SCHEMES = ['TWO_OF_THREE', 'THREE_OF_FIVE'] as const
/** Actions of a user, in turn: renewals and signatures are most of a day. */
const HOUR = ['renew', 'sign', 'sign', 'renew', 'sign'] as const
const ROUTINE = [...HOUR, 'reshare', ...HOUR, ...HOUR, 'signUp'] as const

/** An answer that is no success. */
class Refusal extends Error {
  readonly status: number
  readonly code: unknown

  constructor({ status, body }: { readonly status: number; readonly body: unknown }) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.code = Object(body).code
  }
}

/** The code of a sign-in whose answer was lost is spent. */
class SpentCode extends Error {}

/** Returns how long to wait before the next attempt, in s; undefined for an error that another attempt does not change. */
function getWait(error: unknown): number | undefined {
  // The connection broke: the user does not know what happened.
  if (error instanceof TypeError || error instanceof SpentCode) return 0
  // `ok` of the relays' helpers throws the same text as Refusal.
  const [, body] = /^(?:429|503) (.*)$/s.exec(error instanceof Error ? error.message : '') ?? []
  if (body === undefined) return undefined
  const { retryAfter = 0 } = Object(JSON.parse(body).details)
  return retryAfter <= MAX_WAIT_S ? retryAfter : undefined
}

/** A request that was confirmed, and works only once. */
interface Spent {
  /** ms since epoch */
  readonly at: number
  readonly repeat: () => Promise<{ readonly status: number; readonly body: unknown }>
}

/** Repeats what got no answer. @throws Error for an answer that refuses, or when the patience ends */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;)
    try {
      return await work()
    } catch (error) {
      const seconds = getWait(error)
      if (seconds === undefined || Date.now() > end) throw error
      if (seconds > 0) await setTimeout(seconds * 1000)
    }
}

/** @throws Refusal */
function good<A extends { readonly status: number; readonly body: unknown }>(answer: A): A {
  if (answer.status >= 300) throw new Refusal(answer)
  return answer
}

/** Verifies a signature of a wallet outside of the code that made it. */
function isSigned({ shares: [share] }: Wallet, message: Uint8Array, signature: Uint8Array | undefined): boolean {
  if (!share || !signature) return false
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: b64(groupKey(share.set)) }, format: 'jwk' })
  return verify(null, message, key, signature)
}

export class Visitor {
  readonly email: string
  readonly done = { renewals: 0, signatures: 0, reshares: 0, signUps: 0 }
  /** Users whose sign-in was confirmed: address → ID. */
  readonly known = new Map<string, string>()
  readonly #fleet: Fleet
  readonly #number: number
  #user: User | undefined
  /** Wallets with their newest shares; the last one is in use. */
  readonly #wallets: Wallet[] = []
  /** Confirmed signatures by set. */
  readonly #signed = new Map<string, number>()
  #spent: Spent[] = []

  constructor(fleet: Fleet, number: number) {
    this.#fleet = fleet
    this.#number = number
    this.email = `visitor-${number}@acme.example`
  }

  get #relay() {
    const { port } = this.#fleet.balancers.r1
    return only({ internalUrl: `http://127.0.0.1:${port}/api/v0`, clock: Date })
  }

  /** Signs in with a code by mail. */
  async signIn(email: string): Promise<User> {
    const key = newKey()
    const { port } = this.#fleet.balancers.api
    const codeTo = (address: string) => readCode(this.#fleet.inbox, address)
    const kit: Kit = createKit({ codeTo }, { port, clock: Date, origin: ORIGIN }, key)
    const { body } = await insist(async () => {
      const { verificationId } = good(await kit.call('/auth/email', { body: { email } })).body
      const code = await codeTo(email)
      const answer = await kit.call('/auth/email/verify', { body: { verificationId, code } })
      if (answer.status === 401 || answer.status === 400) throw new SpentCode(JSON.stringify(answer.body))
      const kept = kit.keep(good(answer))
      const repeat = () => kit.call('/auth/email/verify', { body: { verificationId, code } })
      this.#spent.push({ at: Date.now(), repeat })
      return kept
    })
    const before = this.known.get(email)
    if (before !== undefined && before !== body.user.id) throw new Error(`${email} became another user`)
    this.known.set(email, body.user.id)
    return { kit, key, userId: body.user.id, sessionId: body.sessionId }
  }

  async arrive(): Promise<void> {
    this.#user = await this.signIn(this.email)
    await this.#create(this.#user)
  }

  async #create(user: User): Promise<void> {
    const scheme = SCHEMES[this.#number % SCHEMES.length] ?? 'TWO_OF_THREE'
    this.#wallets.push(await insist(() => create(this.#relay, user, { scheme })))
  }

  get #here() {
    const wallet = this.#wallets.at(-1)
    if (!this.#user || !wallet) throw new Error(`${this.email} has not arrived`)
    return { user: this.#user, wallet: { ...wallet, user: this.#user } }
  }

  async renew(): Promise<void> {
    const { kit } = this.#here.user
    const renewed = await insist(async () => {
      const answer = await kit.call('/auth/refresh', { body: { refreshToken: kit.refresh } })
      if (answer.status !== 401) kit.keep(good(answer))
      return answer.status === 200
    })
    // The new refresh token was in an answer that was lost, and the old one is spent.
    if (!renewed) this.#user = await this.signIn(this.email)
    else this.done.renewals += 1
  }

  async sign(wallet = this.#here.wallet): Promise<void> {
    const message = text(`${this.email} ${this.done.signatures}`)
    const { signature } = await insist(async () =>
      good(await sign(this.#relay, wallet, message, { by: this.#askOnce })),
    )
    if (!isSigned(wallet, message, signature)) throw new Error(`${this.email} has a wrong signature`)
    this.#signed.set(wallet.setId, (this.#signed.get(wallet.setId) ?? 0) + 1)
    this.done.signatures += 1
  }

  /** As `ask`, and remembers a request that was confirmed. */
  readonly #askOnce: typeof ask = async (target, user, path, content, operation) => {
    const relay = target.next()
    const body = JSON.stringify(content)
    const headers = getHeaders(user, relay.clock.now(), body, operation)
    const repeat = () => send(`${relay.internalUrl}/sdk/local${path}`, headers, body)
    const answer = await repeat()
    if (answer.status === 200) this.#spent.push({ at: Date.now(), repeat })
    return answer
  }

  /** Repeats what was confirmed in the last seconds, each of which must be refused. @returns how many requests it repeated */
  async repeatSpent(): Promise<number> {
    const recent = this.#spent.filter(({ at }) => at > Date.now() - SPENT_MS).slice(-MAX_REPEATED)
    this.#spent = []
    for (const { repeat } of recent) {
      const { status, body } = await insist(async () => {
        const answer = await repeat()
        if (answer.status === 503) throw new Refusal(answer)
        return answer
      })
      const { code, details } = Object(body)
      if (code !== USED_CODE && code !== OTHER_EPOCH && details?.reason !== 'replay')
        throw new Error(`${this.email} used a code or nonce twice: ${status} ${JSON.stringify(body)}`)
    }
    return recent.length
  }

  async reshare(): Promise<void> {
    const { user, wallet } = this.#here
    const send: typeof ask = (...request) => insist(async () => good(await ask(...request)))
    const keys = await insist(() => relayKeys(this.#relay))
    const resharing = await reshare(this.#relay, wallet, { send, keys }).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.status === 429)) throw error
    })
    // The wallet had its resharings of this hour.
    if (!resharing) return this.#create(user)
    const answer = await insist(async () => good(await resharing.commit())).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'transcript_mismatch')) throw error
    })
    // R1 crashed after R2 had dealt, and dealt again: the parties refuse, the old shares stay, and the user starts again.
    if (!answer) return
    this.#wallets.splice(-1, 1, resharing.after(wallet, answer))
    this.done.reshares += 1
  }

  async signUp(): Promise<void> {
    if (this.done.signUps >= MAX_SIGN_UPS) return this.renew()
    await this.signIn(`visitor-${this.#number}-${this.done.signUps}@acme.example`)
    this.done.signUps += 1
  }

  /** Goes on until `isOver`. @param onDone called after each confirmed operation */
  async live(isOver: () => boolean, onDone: () => void): Promise<void> {
    for (let turn = this.#number; !isOver(); turn++) {
      const action = ROUTINE[turn % ROUTINE.length] ?? 'sign'
      await this[action]()
      onDone()
    }
  }

  /** Checks that everything that was confirmed is true. */
  async check(): Promise<void> {
    const user = await this.signIn(this.email)
    const shown = await list(this.#relay, user)
    for (const wallet of this.#wallets.map(each => ({ ...each, user }))) {
      const [found] = shown.filter(({ walletId }) => walletId === wallet.walletId)
      if (found?.address !== wallet.address) throw new Error(`${this.email} has lost the wallet ${wallet.walletId}`)
      await this.sign(wallet)
      await this.#checkAudit(user, wallet)
    }
  }

  /** Follows the chain of the set's audit record to its head. */
  async #checkAudit(user: User, { walletId, setId }: Wallet): Promise<void> {
    let [after, hash] = [0, '']
    for (;;) {
      const body = { setId, after }
      const answer = good(await ask(this.#relay, user, `/wallets/${walletId}/audit`, body, READ))
      const { entries, head } = answer.body
      for (const { sequence, entry, hash: next } of entries) {
        hash = sha256(`${hash}\n${entry}`)
        if (hash !== next || sequence !== after + 1) throw new Error(`${this.email} has a broken audit chain`)
        after = sequence
      }
      if (after === head.sequence && hash === head.hash) {
        if (after < (this.#signed.get(setId) ?? 0)) throw new Error(`${this.email} has lost confirmed signatures`)
        return
      }
      if (entries.length === 0) throw new Error(`${this.email} has an audit chain with another head`)
    }
  }
}
