/** Two logins with a code. The page loads this file at once, and `sign-in.ts` with the first call. */
import type {} from '@keybay/account'
import type { LoginConnector, Plugin } from '@keybay/kernel'
import type { CodeMethod } from './prompts.js'
import { VERSION } from './version.js'

/** Without it, a `contact` prompt asks the user for the address. */
export type EmailInput = { readonly email: string } | undefined
/** E.164; spaces, brackets, dots and hyphens are ignored. Without it, a `contact` prompt asks the user. */
export type PhoneInput = { readonly phoneNumber: string } | undefined

export interface Channel {
  /** The connector's id, and the API's path. */
  readonly id: string
  /** Also the name of the field at the API and in the input. */
  readonly method: CodeMethod
}
/** @param path an SVG path in a square of 8 */
function login<Id extends string, Input>(
  id: Id,
  name: string,
  method: CodeMethod,
  path: string,
): Plugin<Id, undefined, LoginConnector<Id, Input>, 'account'> {
  return {
    id,
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup({ plugins }) {
      const preload = () => import('./sign-in.js')
      const connector: LoginConnector<Id, Input> = {
        kind: 'login',
        id,
        name,
        icon: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8' fill='%23777'><path d='${path}'/></svg>`,
        readiness: 'ready',
        method,
        preload,
        connect: (input, ctx) => preload().then(({ signIn }) => signIn({ id, method }, plugins.account, input, ctx)),
      }
      return { connectors: [connector] }
    },
  }
}
/**
 * Signs in with a code by mail. Links the address when the user is signed in.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email()] })
 * await keybay.connect('email', { email: 'mara@example.com' })
 */
export function email(): Plugin<'email', undefined, LoginConnector<'email', EmailInput>, 'account'> {
  return login('email', 'Email', 'email', 'M0 1h8L4 4zm0 1v5h8V2L4 5')
}
/**
 * Signs in with a code by SMS. Links the number when the user is signed in.
 * @example await keybay.connect('phone', { phoneNumber: '+49 170 1234567' })
 */
export function phone(): Plugin<'phone', undefined, LoginConnector<'phone', PhoneInput>, 'account'> {
  return login('phone', 'Phone', 'phoneNumber', 'M2 0h4v8H2zm1 1v5h2V1')
}
