/** The plugin: the user's store at once, everything else with the first call. */
import {
  accountNotFound,
  createStore,
  KeybayError,
  type Plugin,
  requestFailed,
  sessionMissing,
  signMessageMissing,
  toKeybayError,
  userRejected,
} from '@keybay/kernel'
import { createHttp } from '@keybay/kernel/http'
import type { AccountApi, UserState } from './api.js'
import type { Engine } from './engine.js'
import type { KernelParts } from './fault.js'
import { VERSION } from './version.js'

export interface AccountOptions {
  /** What a wallet shows besides who asks, one line. Default `Sign in to <appName>.` */
  readonly statement?: string
}

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof Engine]: Parameters<Engine[K]> }
type Results = { readonly [K in keyof Engine]: Awaited<ReturnType<Engine[K]>> }
type Calls = { readonly [K in keyof Engine]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * The signed-in user of a Keybay instance, as `keybay.account`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), walletStandard()] })
 * await keybay.account.signIn('wallet-standard:phantom')
 */
export function account(options: AccountOptions = {}): Plugin<'account', AccountApi> {
  return {
    id: 'account',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const { session, connections, connectors } = kernel
      const parts: KernelParts = {
        KeybayError,
        toKeybayError,
        createHttp,
        requestFailed,
        sessionMissing,
        userRejected,
        accountNotFound,
        signMessageMissing,
      }
      const user = createStore<UserState>(
        { status: 'none' },
        error => kernel.logger.error('listener', error),
        () => void later('follow')().catch(() => {}), // the next one to look tries again
      )
      // Both imports stand here: a second module with one would put the bundler's loader in a chunk of its own. And what
      // they give goes to a named function, because a bundler wraps what it can look into.
      const start = (module: typeof import('./engine.js')) =>
        module.engineOf(kernel, user, options, parts, () => import('@simplewebauthn/browser'))
      const load = () => import('./engine.js').then(start)
      const later =
        <K extends keyof Engine>(name: K) =>
        (...args: Arguments[K]): Promise<Results[K]> =>
          load()
            .then((calls: Calls) => calls[name](...args))
            .catch(thrown => {
              throw toKeybayError(thrown)
            })

      session.register({ exchange: later('exchange'), renew: later('renew'), prove: later('prove') })
      kernel.events.on('log', entry => {
        if (entry.level === 'error') later('report')(entry).catch(() => {}) // reporting that would never end
      })
      kernel.events.on('operation:resumed', operation => {
        if (operation.method === 'signMessage') later('resumed')(operation).catch(() => {}) // it has been told
      })
      // A page that was left to connect a wallet comes back: maybe it was left to sign in. No other page hears both of these.
      let opening: string | undefined
      kernel.events.on('connection:opening', ({ connectorId }) => {
        opening = connectorId
      })
      kernel.events.on('connection:opened', ({ connection: { connectorId }, resumed }) => {
        if (resumed && opening === connectorId) later('returned')(connectorId).catch(() => {}) // it has been told
      })
      kernel.events.on('connection:failed', ({ connectorId, error }) => {
        opening = undefined
        // What was stopped here may be on its way in another tab.
        if (error.code !== 'aborted' && connectors.get(connectorId)?.resume) later('began')(connectorId).catch(() => {})
      })
      return {
        api: {
          user: {
            get current() {
              return user.get()
            },
            subscribe: user.subscribe,
            refresh: later('refresh'),
          },
          // A login begins in the click: it may open a window.
          signIn: (id, input, signal) =>
            connectors.get(id)?.kind === 'wallet'
              ? later('signInWallet')(id, signal)
              : connections.connect(id, input, signal?.signal).then(() => session.current),
          settings: later('settings'),
          signInWithToken: later('signInWithToken'),
          signOut: () => later('signOut')().catch(() => session.clear()),
          unlink: later('unlink'),
          renameCredential: later('renameCredential'),
          updateUser: later('updateUser'),
          deleteUser: later('deleteUser'),
          restoreUser: later('restoreUser'),
          sessions: later('sessions'),
          endSession: later('endSession'),
          endOtherSessions: later('endOtherSessions'),
          mfa: {
            devices: later('devices'),
            add: later('add'),
            remove: later('remove'),
            recoveryCodes: later('recoveryCodes'),
            token: later('token'),
          },
          entrance: later('entrance'),
          request: later('request'),
          signSession: later('signSession'),
        },
      }
    },
  }
}
