/** Passkeys for a Keybay instance. What a page loads at once; everything else loads with the first call. */
import type {} from '@keybay/account'
import { aborted, KeybayError, type LoginConnector, type Plugin, toKeybayError, userRejected } from '@keybay/kernel'
import type { PasskeyApi, PasskeyInput } from './api.js'
import type { Engine } from './engine.js'
import type { KernelErrors } from './tools.js'
import { VERSION } from './version.js'

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8' fill='%23777'><path d='M0 2h4v1h4v2H7V4H6v1H5V4H4v1H0z'/></svg>"

function supported() {
  return typeof PublicKeyCredential === 'function'
}

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof Engine]: Parameters<Engine[K]> }
type Results = { readonly [K in keyof Engine]: Awaited<ReturnType<Engine[K]>> }
type Calls = { readonly [K in keyof Engine]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * Signing in and signing up with a passkey; making and linking one, when somebody is signed in.
 *
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
      // A server cannot know, so it lists the connector as ready.
      kernel.onStart(() => {
        if (!supported()) kernel.connectors.update('passkey', { readiness: 'unsupported' })
        return undefined
      })
      const errors: KernelErrors = [KeybayError, toKeybayError, userRejected, aborted]
      const preload = () => import('./engine.js')
      const later =
        <K extends keyof Engine>(name: K) =>
        (...args: Arguments[K]): Promise<Results[K]> =>
          preload().then(module => {
            const engine: Calls = module.engineOf(kernel, errors)
            return engine[name](...args)
          })
      return {
        api: {
          supported,
          autofill: later('autofill'),
          list: later('list'),
          rename: later('rename'),
          remove: later('remove'),
        },
        connectors: [
          {
            kind: 'login',
            id: 'passkey',
            name: 'Passkey',
            icon: ICON,
            readiness: 'ready',
            method: 'passkey',
            preload,
            connect: later('connect'),
          },
        ],
      }
    },
  }
}
