/** Creates the user store at once. The rest loads with the first call. */
import { createStore, type Kernel, lazyApi, loadOnce, type Plugin } from '@keybay/kernel'
import { aborted, isKeybayError } from '@keybay/kernel/spec'
import type { AccountApi, UserState } from './api.js'
import type { Engine } from './engine.js'
import { VERSION } from './version.js'
import { guardAccounts } from './wallet/guard.js'

export interface AccountOptions {
  /** Text that a wallet shows below the app's name. Default `Sign in to <appName>.` */
  readonly statement?: string
}
type Background = Pick<Engine, 'report' | 'resumed' | 'returned' | 'began'>

function ignore() {}

/** Forwards the kernel's events. The engine reports its own failures, so none is reported twice. */
function forwardEvents({ events, connectors }: Kernel, engine: Background): void {
  events.on('log', entry => {
    if (entry.level === 'error') engine.report(entry).catch(ignore)
  })
  events.on('operation:resumed', operation => {
    if (operation.method === 'signMessage') engine.resumed(operation).catch(ignore)
  })
  // Only the page that left to connect a wallet, possibly to sign in, receives both of these events.
  let opening: string | undefined
  events.on('connection:opening', ({ connectorId }) => {
    opening = connectorId
  })
  events.on('connection:opened', ({ connection: { connectorId }, resumed }) => {
    if (resumed && opening === connectorId) engine.returned(connectorId).catch(ignore)
  })
  events.on('connection:failed', ({ connectorId, error }) => {
    opening = undefined
    // An aborted sign-in may continue in another tab.
    if (!isKeybayError(error, aborted) && connectors.get(connectorId)?.resume) engine.began(connectorId).catch(ignore)
  })
}

/**
 * Manages the signed-in user of a Keybay instance as `keybay.account`.
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
      // Passed on: an `import()` in a chunk that loads later would put the bundler's loader into a chunk of its own.
      const loadPasskeyFactor = () => import('./passkey-factor.js')
      const load = loadOnce(async () => {
        const { createEngine } = await import('./engine.js')
        return createEngine(kernel, user, options, loadPasskeyFactor)
      })
      const engine = lazyApi(load, [
        'exchange',
        'renew',
        'prove',
        'report',
        'resumed',
        'returned',
        'began',
        'follow',
        'refresh',
        'signInWallet',
        'signOut',
      ])
      const user = createStore<UserState>(
        { status: 'none' },
        error => kernel.logger.error('account', error),
        () => engine.follow().catch(ignore), // The next subscriber retries.
      )
      const { exchange, renew } = engine
      session.register({ exchange, renew, prove: guardAccounts(kernel, user, engine.prove) })
      forwardEvents(kernel, engine)
      const api: AccountApi = {
        ...lazyApi(load, [
          'settings',
          'signInWithToken',
          'unlink',
          'renameCredential',
          'updateUser',
          'deleteUser',
          'restoreUser',
          'exportData',
          'sessions',
          'endSession',
          'endOtherSessions',
          'signOutEverywhere',
          'reauthenticate',
          'securityLog',
          'entrance',
          'request',
          'signSession',
          'sessionValue',
        ]),
        mfa: lazyApi(load, ['devices', 'add', 'remove', 'recoveryCodes', 'token']),
        user: {
          get current() {
            return user.get()
          },
          subscribe: user.subscribe,
          refresh: engine.refresh,
        },
        // A login must begin in the click, because it may open a window.
        signIn: (id, input, callOptions) =>
          connectors.get(id)?.kind === 'wallet'
            ? engine.signInWallet(id, callOptions)
            : connections.connect(id, input, callOptions?.signal).then(() => session.current),
        signOut: () => engine.signOut().catch(() => session.clear()),
      }
      return { api }
    },
  }
}
