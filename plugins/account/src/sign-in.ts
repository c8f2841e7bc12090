/** Turns a proof into a session, or into another credential of the signed-in user. */
import type { Credential, ExchangeContext, Kernel, SessionState } from '@keybay/kernel'
import { KeybayError, sessionMissing, userRejected } from '@keybay/kernel/spec'
import type { Client } from './client.js'
import type { EntranceControl } from './entrance.js'
import { type Authenticate, askFactor } from './factor.js'
import { isSignedIn, type Lifecycle, statusAt } from './lifecycle.js'
import { isObject, read } from './parse/check.js'
import { isChallenge } from './parse/mfa.js'
import {
  type Authenticated,
  isCompleted,
  isLinked,
  isMerged,
  isSecondFactorNeeded,
  isWithoutSession,
  type Reauthenticated,
  type SecondFactorNeeded,
} from './parse/sign-in.js'
import type { Reauthentication } from './reauthentication.js'
import type { Request } from './request.js'
import type { Keys, ProofKey } from './session-key.js'
import type { Users } from './users.js'

const ANONYMOUS: SessionState = { status: 'anonymous' }

function isPending({ status }: SessionState) {
  return status === 'authenticating' || status === 'mfa-required'
}

/** Turns the last response of `entrance.post` into the session. */
type Finish = (answer: unknown, ctx: ExchangeContext) => Promise<SessionState>

export interface SignIn {
  /** Shows that a sign-in is pending. A failed sign-in restores the previous state. */
  attempt(run: (finish: Finish) => Promise<SessionState>): Promise<SessionState>
  exchange(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
}

interface Parts {
  readonly client: Client
  readonly keys: Keys
  readonly lifecycle: Lifecycle
  readonly users: Users
  readonly entrances: EntranceControl
  readonly request: Request
  readonly authenticate: Authenticate
  readonly reauthentication: Pick<Reauthentication, 'confirm'>
  /** Proves a wallet's address by having it sign in. */
  readonly proveWallet: (connectorId: string, ctx: ExchangeContext) => Promise<SessionState>
}

export function createSignIn({ session, events }: Kernel, parts: Parts): SignIn {
  const { client, keys, lifecycle, users, entrances, request, authenticate, reauthentication, proveWallet } = parts
  let running = 0
  let before = ANONYMOUS
  const attempt: SignIn['attempt'] = async run => {
    await session.restore()
    if (!isPending(session.current)) before = session.current
    if (!isSignedIn(before)) session.show({ status: 'authenticating' })
    running++
    const { signOuts } = lifecycle
    try {
      return await run((answer, ctx) => finish(answer, { ...ctx, signOuts }))
    } finally {
      running--
      if (!running && isPending(session.current)) session.show(before)
    }
  }

  type Context = ExchangeContext & { readonly signOuts: number }
  const signedIn = async (answer: Authenticated, key: ProofKey, { signal, signOuts }: Context) => {
    const { user, isNewUser } = answer
    const isSignedOut = signOuts !== lifecycle.signOuts
    if (isSignedOut || signal.aborted) {
      void lifecycle.discard(answer, key)
      signal.throwIfAborted()
      throw new KeybayError(userRejected)
    }
    const state: SessionState = { status: statusAt(user.step), userId: user.id }
    await lifecycle.begin(answer, state, key)
    users.show(user)
    events.emit('account:signed-in', { userId: user.id, isNewUser })
    return state
  }
  const complete = async (answer: Authenticated | Reauthenticated, key: ProofKey, ctx: Context) => {
    if (answer.status === 'authenticated') return signedIn(answer, key, ctx)
    reauthentication.confirm()
    return before
  }
  const secondFactor = async ({ pendingId, devices }: SecondFactorNeeded, key: ProofKey, ctx: Context) => {
    const { signal } = ctx
    const post = (path: string, body: object) => client.send(path, { key, anonymous: true, body, signal })
    // A signed-in user only confirms the session, which goes on.
    if (!isSignedIn(before)) session.show({ status: 'mfa-required' })
    const answer = await askFactor(ctx.prompt, authenticate, {
      action: 'sign-in',
      devices,
      begin: async deviceId =>
        client.local(read(isChallenge, await post('/auth/mfa/challenge', { pendingId, deviceId }))),
      finish: async (challengeId, proof) =>
        read(isCompleted, await post('/auth/mfa', { pendingId, challengeId, ...proof })),
    })
    return complete(answer, key, ctx)
  }
  const credentialsChanged = async () => {
    const { userId } = session.current
    if (userId !== undefined) events.emit('account:credentials-changed', { userId })
    await users.changed()
    return session.current
  }
  const finish = async (answer: unknown, ctx: Context): Promise<SessionState> => {
    const merge = isObject(answer) ? entrances.getMerge(answer) : undefined
    if (merge) {
      await ctx.prompt({ type: 'merge-accounts', expiresAt: client.local(merge).expiresAt })
      const { mergeId } = merge
      const merged = await request('/users/me/merge', { body: { mergeId }, signal: ctx.signal }, ctx.prompt)
      const { user } = read(isMerged, merged)
      users.show(user)
      await lifecycle.move(user.step)
      return credentialsChanged()
    }
    if (isLinked(answer)) {
      await lifecycle.move(answer.step)
      return credentialsChanged()
    }
    const key = (isObject(answer) && entrances.getKey(answer)) || (await keys.pending())
    if (isSecondFactorNeeded(answer)) return secondFactor(answer, key, ctx)
    if (!isCompleted(answer) && isWithoutSession(answer)) throw new KeybayError(sessionMissing)
    return complete(read(isCompleted, answer), key, ctx)
  }
  return {
    attempt,
    exchange: ({ method, proof }, ctx) =>
      attempt(async finish => {
        if (method === 'blockchain' && typeof proof === 'string') return proveWallet(proof, ctx)
        if (method === 'externalUser' && isObject(proof) && typeof proof.token === 'string') {
          const entrance = await entrances.open(ctx)
          return finish(await entrance.post('external', { token: proof.token }), ctx)
        }
        if (!isObject(proof)) throw new KeybayError(sessionMissing)
        return finish(proof, ctx)
      }),
  }
}
