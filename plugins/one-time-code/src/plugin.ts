/** Two ways to log in with a code. What a page loads at once; `sign-in.ts` does the work and loads with the first call. */
import type {} from '@keybay/account'
import { type ErrorSpec, KeybayError, type LoginConnector, type Plugin } from '@keybay/kernel'
import { emailCannotBeNull, invalidEmail, invalidPhone } from '@keybay/kernel/spec'
import type { CodeMethod } from './prompts.js'
import { VERSION } from './version.js'

/** Undefined: the user is asked for the address by a `contact` prompt. */
export type EmailInput = { readonly email: string } | undefined
/** E.164; blanks, brackets, dots and hyphens are dropped. Undefined: the user is asked by a `contact` prompt. */
export type PhoneInput = { readonly phoneNumber: string } | undefined

/** Handed over: imported by the code that loads later, they would be torn out of the page's first chunk. */
export type ChannelErrors = readonly [KeybayError: typeof KeybayError, missing: ErrorSpec, invalid: ErrorSpec]
/** What tells one of the two from the other. */
export interface Channel {
  /** The connector's id, and the API's path. */
  readonly id: string
  /** The API's and the input's field, too. */
  readonly method: CodeMethod
}

function login<Id extends string, Input>(
  id: Id,
  name: string,
  method: CodeMethod,
  /** Drawn in a square of 8. */
  path: string,
  errors: ChannelErrors,
): Plugin<Id, undefined, LoginConnector<Id, Input>, 'account'> {
  return {
    id,
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup({ plugins }) {
      const preload = () => import('./sign-in.js')
      const connector: LoginConnector<Id, Input> & Channel = {
        kind: 'login',
        id,
        name,
        icon: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8' fill='%23777'><path d='${path}'/></svg>`,
        readiness: 'ready',
        method,
        preload,
        connect: (input, ctx) => preload().then(({ signIn }) => signIn(connector, errors, plugins.account, input, ctx)),
      }
      return { connectors: [connector] }
    },
  }
}

/**
 * Signing in with a code by mail; linking the address, when somebody is signed in.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email()] })
 * await keybay.connect('email', { email: 'mara@example.com' })
 */
export function email(): Plugin<'email', undefined, LoginConnector<'email', EmailInput>, 'account'> {
  return login('email', 'Email', 'email', 'M0 1h8L4 4zm0 1v5h8V2L4 5', [KeybayError, emailCannotBeNull, invalidEmail])
}

/**
 * Signing in with a code by SMS; linking the number, when somebody is signed in.
 *
 * @example await keybay.connect('phone', { phoneNumber: '+49 170 1234567' })
 */
export function phone(): Plugin<'phone', undefined, LoginConnector<'phone', PhoneInput>, 'account'> {
  return login('phone', 'Phone', 'phoneNumber', 'M2 0h4v8H2zm1 1v5h2V1', [KeybayError, invalidPhone, invalidPhone])
}
