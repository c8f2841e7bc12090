/** Lifecycle of the session at the API: starts with tokens, renews and ends it. The kernel stores the session. */
import type { Kernel, SessionState, SessionStatus, Token } from '@keybay/kernel'
import type { VerificationStep } from '@keybay/kernel/spec'
import { quietly, toKeybayError } from '@keybay/kernel/spec'
import type { Client } from './client.js'
import type { Tokens } from './parse/sign-in.js'
import { createSessionCalls } from './session-calls.js'
import type { Keys, ProofKey } from './session-key.js'

/** Returns true also for a user who must still verify an email address or phone number. */
export function isSignedIn({ status }: SessionState): boolean {
  return status === 'authenticated' || status === 'verification'
}

export function isOver(thrown: unknown): boolean {
  const { status, code } = toKeybayError(thrown)
  return status === 401 && (code === 'session_expired' || code === 'unauthorized')
}

export function statusAt(step: VerificationStep): SessionStatus {
  return step === 'verify-email' || step === 'verify-sms' ? 'verification' : 'authenticated'
}

export interface Lifecycle {
  begin(tokens: Tokens, state: SessionState, key: ProofKey): Promise<void>
  renew(old: Token, successor: () => Promise<Token | undefined>): Promise<Token | undefined>
  /** Ends the session at the server's request, unless a newer one has begun. */
  end(from: SessionState, key: ProofKey | undefined): Promise<void>
  /** Shows the state that follows a verification step. */
  move(step: VerificationStep): Promise<void>
  signOut(): Promise<void>
  /** Number of sign-outs in this page. Invalidates sign-ins that began before the latest one. */
  readonly signOuts: number
  /** Deletes the local session without an API call, because the server has already ended it. */
  forget(): Promise<void>
  /** Like `forget`; also disconnects the wallets whose connection is the sign-in. */
  leave(): Promise<void>
  /** Ends a server session whose sign-in was cancelled on this device. */
  discard(tokens: Tokens, key: ProofKey): Promise<void>
}

/** Erases what the UI kit remembers of this user: the lists of `useRecent` whose name begins with `user:`. */
function forgetChoices(environmentId: string): void {
  quietly(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(`keybay:${environmentId}:user:`)) localStorage.removeItem(key)
  })
}

export function createLifecycle(kernel: Kernel, client: Client, keys: Keys): Lifecycle {
  const { config, session, connections } = kernel
  const calls = createSessionCalls(kernel, client)
  let signOuts = 0
  const forget = async () => {
    signOuts++
    await keys.forget()
    forgetChoices(config.environmentId)
    await session.clear()
  }
  const leave = async () => {
    await forget()
    if (config.authMode === 'connect-and-sign')
      await Promise.all(connections.list().map(({ connectorId }) => connections.disconnect(connectorId)))
  }
  return {
    get signOuts() {
      return signOuts
    },
    async begin(tokens, state, key) {
      const token = calls.readToken(tokens)
      await keys.adopt(key, tokens.sessionId)
      await session.set(state, token)
    },
    async renew(old, successor) {
      const key = await keys.session()
      if (!key) return undefined // The session is useless without its key.
      // `revive` sets `expiresAt` to 0, which identifies no token.
      if (old.expiresAt && key.renewed === old.expiresAt) {
        const next = await successor()
        if (next !== old) return next
      }
      try {
        const body = { ...(old.refresh && { refreshToken: old.refresh }) }
        const next = calls.readToken(await calls.refresh(key, body))
        await keys.renewed(key, old.expiresAt)
        return next
      } catch (thrown) {
        if (!isOver(thrown)) throw thrown
        await keys.forget(key)
        return undefined
      }
    },
    async end(from, key) {
      if (session.current !== from) return
      await keys.forget(key)
      if (session.current === from) await session.set({ ...from, status: 'expired' })
    },
    async move(step) {
      const { current } = session
      const status = statusAt(step)
      if (isSignedIn(current) && current.status !== status) await session.move(current, status)
    },
    async signOut() {
      const key = await keys.session()
      const known = isSignedIn(session.current) ? key : undefined
      const bearer = known && (await calls.inTime(session.bearer()))
      const ended = known && calls.signOut(bearer, known)
      await leave()
      await ended
    },
    forget,
    leave,
    discard: async ({ accessToken }, key) => void (await calls.signOut(accessToken, key)),
  }
}
