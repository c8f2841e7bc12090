/** Passkeys for a Keybay instance. The page loads this file at once, and `engine.ts` with the first call. */
import type {} from '@keybay/account'
import { type LoginConnector, lazyApi, loadOnce, type Plugin } from '@keybay/kernel'
import type { PasskeyApi, PasskeyInput } from './api.js'
import { VERSION } from './version.js'

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8' fill='%23777'><path d='M0 2h4v1h4v2H7V4H6v1H5V4H4v1H0z'/></svg>"

function supported() {
  return typeof PublicKeyCredential === 'function'
}
/**
 * Signs in and signs up with a passkey. Creates and links a passkey if a user is signed in.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), passkey()] })
 * await keybay.connect('passkey')
 * await keybay.connect('passkey', { signUp: true, userName: 'mara@example.com' })
 */
export function passkey(): Plugin<
  'passkey',
  PasskeyApi,
  LoginConnector<'passkey', PasskeyInput | undefined>,
  'account'
> {
  return {
    id: 'passkey',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      // A server can't detect support, so it lists the connector as ready.
      kernel.onStart(() => {
        if (!supported()) kernel.connectors.update('passkey', { readiness: 'unsupported' })
        return undefined
      })
      const load = loadOnce(() => import('./engine.js').then(({ createEngine }) => createEngine(kernel)))
      return {
        api: { supported, ...lazyApi(load, ['autofill', 'list', 'rename', 'remove']) },
        connectors: [
          {
            kind: 'login',
            id: 'passkey',
            name: 'Passkey',
            icon: ICON,
            readiness: 'ready',
            method: 'passkey',
            preload: load,
            ...lazyApi(load, ['connect']),
          },
        ],
      }
    },
  }
}
