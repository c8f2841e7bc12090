/** A signed-in user, for tests that are not about the product API. */
import type { AccountApi, Settings, User, UserCredential } from '@keybay/account'
import { definePlugin, type Plugin } from '@keybay/kernel'

function never(): never {
  throw new Error('not for this test')
}
function describeUser(id = '', credentials: readonly UserCredential[]): User {
  return {
    id,
    username: null,
    email: null,
    phoneNumber: null,
    metadata: {},
    createdAt: 0,
    lastSignInAt: 0,
    step: 'done',
    credentials,
    mfa: { devices: [], recoveryCodes: 0 },
  }
}
export interface StandIn {
  /** Every operation that the session key signed. */
  readonly signed: unknown[]
  /** Every second factor that was requested. */
  readonly proved: unknown[]
  /** Path and method of every call of the product API. */
  readonly called: unknown[]
}
/**
 * @param signedIn whether the session is there when the page loads
 * @param credentials the user's; without them the page knows no user
 */
export function standInAccount(
  { signed, proved, called }: StandIn = { signed: [], proved: [], called: [] },
  signedIn = true,
  embeddedWallets: Partial<Settings['embeddedWallets']> = {},
  credentials?: readonly UserCredential[],
): Plugin<'account', Pick<AccountApi, 'user' | 'signSession' | 'request' | 'mfa' | 'settings'>> {
  return definePlugin({
    id: 'account',
    version: '0.1.0',
    setup(kernel) {
      const { session, clock } = kernel
      kernel.onStart(() => {
        if (signedIn)
          void session.set(
            { status: 'authenticated', userId: 'mara' },
            { value: 'token-of-mara', expiresAt: clock.now() + 10 * 365 * 86_400_000 },
          )
        return undefined
      })
      return {
        api: {
          // Without accounts of Google's.
          user: {
            current: { status: 'none' },
            subscribe: () => () => {},
            refresh: async () => credentials && describeUser(session.current.userId, credentials),
          },
          async signSession(operation) {
            signed.push(operation)
            return `signed ${operation.operation}`
          },
          async request(path, { method } = {}) {
            called.push([path, method])
          },
          async settings() {
            return {
              environmentId: 'env-1',
              name: 'Test',
              environment: 'sandbox',
              signIn: { wallet: true, email: true, phone: true, passkey: true, external: true, social: [] },
              required: { email: false, phone: false },
              mfa: { methods: [], actions: [], atSignIn: false },
              passkey: { rpId: 'localhost', rpName: 'Test' },
              embeddedWallets: {
                enabled: true,
                thresholdSignatureScheme: 'TWO_OF_THREE',
                mostPerUser: 5,
                ...embeddedWallets,
              },
            }
          },
          mfa: {
            devices: never,
            add: never,
            remove: never,
            recoveryCodes: never,
            async token(action, requestHash) {
              proved.push({ action, requestHash })
              return 'mfa-token'
            },
          },
        },
      }
    },
  })
}
