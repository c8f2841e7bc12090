/** Acme Name plugin: one login method. `account` exchanges its token for a session. */
import {
  type Credential,
  definePlugin,
  KeybayError,
  type LoginConnector,
  type Plugin,
  requestFailed,
} from '@keybay/kernel'
import { ICON } from './icon.js'
import { VERSION } from './version.js'

export interface AcmeNameOptions {
  /**
   * Fetches the user's token: a JWT by the issuer that the environment names as `externalJwt`. Pass `signal` to fetch: it
   * aborts on cancel and time-out.
   */
  readonly getToken: (options: { readonly signal: AbortSignal }) => Promise<string>
}
export type AcmeNameConnector = LoginConnector<'acme-name', undefined>

/**
 * @example
 * const keybay = createKeybay({ appName: 'My app', plugins: [account(), acmeName({ getToken })] })
 * await keybay.account.signIn('acme-name')
 */
export function acmeName({ getToken }: AcmeNameOptions): Plugin<'acme-name', undefined, AcmeNameConnector> {
  return definePlugin({
    id: 'acme-name',
    version: VERSION,
    setup() {
      const connector: AcmeNameConnector = {
        kind: 'login',
        id: 'acme-name',
        name: 'Acme Name',
        icon: ICON,
        readiness: 'ready',
        method: 'externalUser',
        provider: 'acme-name',
        async connect(_input, { signal }): Promise<Credential> {
          const token = await getToken({ signal })
          signal.throwIfAborted()
          if (!token)
            throw new KeybayError(requestFailed, { connectorId: 'acme-name', detail: 'Acme Name gave no token' })
          return { method: 'externalUser', provider: 'acme-name', proof: { token } }
        },
      }
      return { connectors: [connector] }
    },
  })
}
