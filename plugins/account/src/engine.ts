/** Assembles the code that loads with the first call. Start reading at `entrance.ts` and `sign-in.ts`. */
import type { Credential, ExchangeContext, Kernel, LogEntry, SessionState, Store } from '@keybay/kernel'
import { createHttp } from '@keybay/kernel/http'
import { sendErrors } from '@keybay/kernel/log-sink'
import { KeybayError, sessionMissing } from '@keybay/kernel/spec'
import type { AccountApi, AccountMfa, UserState, UserStore } from './api.js'
import { createClient } from './client.js'
import { createEntrances } from './entrance.js'
import type { Authenticate } from './factor.js'
import { createLifecycle, type Lifecycle } from './lifecycle.js'
import { createMfa, createSettings } from './mfa.js'
import type { AccountOptions } from './plugin.js'
import { createReauthentication } from './reauthentication.js'
import { createRequests } from './request.js'
import { createKeys } from './session-key.js'
import { createSignIn } from './sign-in.js'
import { createCredentialCalls, createSessionCalls, createUserCalls } from './user-calls.js'
import { createUsers } from './users.js'
import { createWalletEntry, type WalletEntry } from './wallet/entry.js'
import { createWallets } from './wallet/sign-in.js'

/** Lazily loaded part of the API, plus the functions that the kernel and its events call. */
export interface Engine
  extends Omit<AccountApi, 'mfa' | 'user' | 'signIn'>,
    AccountMfa,
    Pick<UserStore, 'refresh'>,
    Omit<WalletEntry, 'enter'> {
  exchange(credential: Credential, ctx: ExchangeContext): Promise<SessionState>
  renew: Lifecycle['renew']
  /** Returns true if the page left for a sign-in, and clears that record. */
  began(connectorId: string): Promise<boolean>
  /** Starts keeping the user store up to date. */
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
  const { config, connectors, logger } = kernel
  const keys = createKeys(config.environmentId, error => logger.debug('session key', error))
  const client = createClient(kernel, createHttp(kernel))
  const lifecycle = createLifecycle(kernel, client, keys)
  const authenticate: Authenticate = async options => (await loadPasskeyFactor()).authenticate(options)
  const reauthentication = createReauthentication(kernel, {
    getUser: signal => users.get(signal),
    createContext: (signal, connectorId) => createContext(signal, connectorId),
    enter: (connector, ctx) => enter(connector, ctx),
    exchange: (credential, ctx) => signIn.exchange(credential, ctx),
  })
  const requests = createRequests(kernel, client, keys, lifecycle, authenticate, reauthentication.ask)
  const { request, asking } = requests
  const users = createUsers(kernel, user, request, lifecycle)
  const entrances = createEntrances(kernel, { client, keys, users, request, asking, reauthentication })
  const settings = createSettings(client)
  const wallets = createWallets(kernel, { client, entrances, users, settings, statement })
  const createContext = (signal = new AbortController().signal, connectorId?: string): ExchangeContext => ({
    signal,
    prompt: asking(signal, connectorId),
  })
  const { enter, ...walletEntry } = createWalletEntry(kernel, { wallets, getSignIn: () => signIn, createContext })
  const parts = { client, keys, lifecycle, users, entrances, request, authenticate, reauthentication }
  const signIn = createSignIn(kernel, {
    ...parts,
    async proveWallet(connectorId, ctx) {
      const connector = connectors.get(connectorId)
      if (connector?.kind !== 'wallet') throw new KeybayError(sessionMissing)
      return enter(connector, ctx)
    },
  })
  const sendError = sendErrors(kernel)
  return {
    ...createMfa(client, requests, settings, users, authenticate),
    ...createCredentialCalls(kernel, parts),
    ...createUserCalls(parts),
    ...createSessionCalls(kernel, parts),
    ...walletEntry,
    settings,
    request: (...[path, options]) => request(path, options),
    sessionValue: keys.value,
    entrance: entrances.open,
    exchange: signIn.exchange,
    renew: lifecycle.renew,
    refresh: users.refresh,
    follow: async () => users.follow(),
    began: wallets.began,
    report: async entry => sendError(entry),
    signInWithToken: (token, { signal } = {}) =>
      signIn.exchange({ method: 'externalUser', proof: { token } }, createContext(signal)),
    reauthenticate: ({ signal } = {}) => reauthentication.ask(requests.asking(signal), signal),
    signOut: lifecycle.signOut,
  }
}
