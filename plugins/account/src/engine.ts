/** Puts together the code that loads with the first call. Start reading at `entrance.ts` and `sign-in.ts`. */

import type {
  ConnectContext,
  Credential,
  ExchangeContext,
  Kernel,
  KeybayEvents,
  LogEntry,
  SessionState,
  Store,
  WalletConnector,
} from '@keybay/kernel'
import { createHttp } from '@keybay/kernel/http'
import { sendErrors } from '@keybay/kernel/log-sink'
import { accountNotFound, KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { AccountApi, AccountMfa, CallOptions, UserState, UserStore } from './api.js'
import { createClient } from './client.js'
import { createEntrances } from './entrance.js'
import { createErrorBus } from './error-bus.js'
import type { Authenticate } from './factor.js'
import { createLifecycle, isSignedIn, type Lifecycle } from './lifecycle.js'
import { createMfa, createSettings } from './mfa.js'
import { read } from './parse/check.js'
import { isCredential, isEnded, isSessionList, isUser } from './parse/user.js'
import type { AccountOptions } from './plugin.js'
import { signJws } from './proof.js'
import { createRequests } from './request.js'
import { createKeys } from './session-key.js'
import { createSignIn } from './sign-in.js'
import { createUsers } from './users.js'
import { createWallets, untilAborted } from './wallet/sign-in.js'

/** The part of the API that loads lazily, and what the kernel and its events call. */
export interface Engine extends Omit<AccountApi, 'mfa' | 'user' | 'signIn'>, AccountMfa, Pick<UserStore, 'refresh'> {
  signInWallet(connectorId: string, options?: CallOptions): Promise<SessionState>
  prove(connector: WalletConnector, ctx: ConnectContext): Promise<void>
  exchange(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
  renew: Lifecycle['renew']
  /** Handles a signature of a wallet that the page was left for, maybe to sign in. */
  resumed(operation: KeybayEvents['operation:resumed']): Promise<void>
  /** Continues a sign-in for which the page was left to connect this wallet. */
  returned(connectorId: string): Promise<void>
  /** Tells whether the page was left for a sign-in, and forgets it. */
  began(connectorId: string): Promise<boolean>
  /** Keeps the user's store up to date from now on. */
  follow(): Promise<void>
  /** Sends a logged error to the product API. */
  report(entry: LogEntry): Promise<void>
}
/** @param loadPasskeyFactor loads WebAuthn, with the first use */
export function createEngine(
  kernel: Kernel,
  user: Store<UserState>,
  { statement }: AccountOptions,
  loadPasskeyFactor: () => Promise<typeof import('./passkey-factor.js')>,
): Engine {
  const { config, clock, session, connections, connectors, logger } = kernel
  const keys = createKeys(config.environmentId, error => logger.debug('session key', error))
  const client = createClient(kernel, createHttp(kernel))
  const lifecycle = createLifecycle(kernel, client, keys)
  const authenticate: Authenticate = async options => (await loadPasskeyFactor()).authenticate(options)
  const requests = createRequests(kernel, client, keys, lifecycle, authenticate)
  const { request, asking } = requests
  const users = createUsers(kernel, user, request, lifecycle)
  const entrances = createEntrances(kernel, client, keys, request)
  const settings = createSettings(client)
  const wallets = createWallets(kernel, { client, entrances, users, statement })
  const context = (signal = new AbortController().signal, connectorId?: string): ExchangeContext => ({
    signal,
    prompt: asking(signal, connectorId),
  })
  const signIn = createSignIn(kernel, {
    client,
    keys,
    lifecycle,
    users,
    entrances,
    request,
    authenticate,
    async proveWallet(connectorId, ctx) {
      const connector = connectors.get(connectorId)
      if (connector?.kind !== 'wallet') throw new KeybayError(sessionMissing)
      return enter(connector, ctx)
    },
  })
  const tellFailed = (connectorId: string) => (thrown: unknown) => {
    kernel.events.emit('operation:failed', { connectorId, method: 'signIn', error: toKeybayError(thrown) })
  }
  const enter = (connector: WalletConnector, ctx: ExchangeContext, connecting?: ConnectContext) =>
    signIn.attempt(async finish => {
      const answer = await wallets.prove(connector, ctx, connecting)
      return answer === undefined ? session.current : finish(answer, ctx)
    })
  const entering = new Map<string, Promise<SessionState>>()
  const prove: Engine['prove'] = async (connector, ctx) => {
    // An embedded wallet belongs to the signed-in user, so it proves nothing.
    if (connector.connectionType !== 'embeddedWallet') await enter(connector, ctx, ctx)
  }
  const errors = createErrorBus()
  sendErrors({ config, clock, events: errors })

  const changed = async (answer: unknown) => {
    const { userId } = session.current
    if (userId !== undefined) kernel.events.emit('account:credentials-changed', { userId })
    await users.changed()
    return answer
  }
  const path = (of: string, id: string) => `${of}/${encodeURIComponent(id)}`
  const signInWallet: Engine['signInWallet'] = async (id, { signal } = {}) => {
    const connector = connectors.get(id)
    if (!connections.get(id)) await connections.connect(id, undefined, signal, true)
    const account = wallets.accountOf(id)
    if (connector?.kind !== 'wallet' || !account) throw new KeybayError(accountNotFound, { connectorId: id })
    // Another attempt may have connected it without a proof.
    if (await wallets.has(account.address, signal)) return session.current
    const running =
      entering.get(id) ??
      enter(connector, context(signal, id)).finally(() => {
        entering.delete(id)
      })
    entering.set(id, running)
    return untilAborted(signal, running)
  }
  return {
    ...createMfa(client, requests, settings, users, authenticate),
    settings,
    request: (...[path, options]) => request(path, options),
    entrance: entrances.open,
    exchange: signIn.exchange,
    prove,
    renew: lifecycle.renew,
    refresh: users.refresh,
    follow: async () => users.follow(),
    async resumed({ connectorId, result }) {
      const ctx = context(undefined, connectorId)
      const answer = await wallets.resume(connectorId, result, ctx).catch(tellFailed(connectorId))
      if (answer !== undefined) await signIn.attempt(finish => finish(answer, ctx))
    },
    async report(entry) {
      errors.emit('log', entry)
    },
    async returned(connectorId) {
      const name = connectors.get(connectorId)?.name
      const account = wallets.accountOf(connectorId)
      if (!(await wallets.began(connectorId)) || !account || (await wallets.has(account.address, undefined))) return
      try {
        // A phone opens an app only after a user gesture, and a page that has just returned has had none.
        await context(undefined, connectorId).prompt({
          type: 'choice',
          title: `One more step in ${name}`,
          text: `${name} is connected. Now it signs a message, which proves that the address is yours. Your phone opens an app only when you press.`,
          options: [{ id: 'open', label: `Open ${name}` }],
        })
        await signInWallet(connectorId)
      } catch (thrown) {
        tellFailed(connectorId)(thrown)
      }
    },
    began: wallets.began,
    signInWallet,
    signInWithToken: (token, { signal } = {}) =>
      signIn.exchange({ method: 'externalUser', proof: { token } }, context(signal)),
    signOut: lifecycle.signOut,
    async unlink(id, { signal } = {}) {
      await changed(await request(path('/users/me/credentials', id), { method: 'DELETE', signal }))
    },
    async renameCredential(id, name, { signal } = {}) {
      const answer = await request(path('/users/me/credentials', id), { method: 'PATCH', body: { name }, signal })
      const credential = read(isCredential, answer)
      await users.changed()
      return credential
    },
    async updateUser({ username, metadata }, { signal } = {}) {
      const body = { username, metadata }
      const next = read(isUser, await request('/users/me', { method: 'PATCH', body, signal }))
      users.show(next)
      users.tell()
      return next
    },
    async deleteUser({ signal } = {}) {
      await request('/users/me', { method: 'DELETE', signal })
      await lifecycle.forget()
    },
    async restoreUser({ signal } = {}) {
      const user = read(isUser, await request('/users/me/restore', { method: 'POST', signal }))
      users.show(user)
      users.tell()
      return user
    },
    sessions: async options => read(isSessionList, await request('/sessions', options)).sessions,
    async endSession(id, { signal } = {}) {
      if (id === (await keys.session())?.sessionId) return lifecycle.signOut()
      await request(path('/sessions', id), { method: 'DELETE', signal })
    },
    endOtherSessions: async ({ signal } = {}) =>
      read(isEnded, await request('/sessions', { method: 'DELETE', signal })).ended,
    async signSession({ operation, wallet, hash }) {
      await session.bearer()
      const key = await keys.session()
      const sid = key?.sessionId
      if (!isSignedIn(session.current) || !key || sid === undefined) throw new KeybayError(sessionMissing)
      return signJws(
        key,
        { typ: 'keybay-session+jwt' },
        {
          sid,
          op: operation,
          ...(wallet !== undefined && { wallet }),
          hash,
          origin: location.origin,
          iat: Math.floor((clock.now() + client.skew) / 1000),
          jti: crypto.randomUUID(),
        },
      )
    },
  }
}
