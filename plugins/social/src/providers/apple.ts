import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

export interface AppleOptions extends ProviderOptions {
  /** Where Apple’s script is. Default: Apple’s own. */
  readonly script?: string
}

/**
 * Sign in with Apple. Its own script leaves the page, and the answer is posted to the API (`form_post`, which Apple demands
 * where a name or an email is asked for), which sends the user on.
 *
 * @see https://developer.apple.com/documentation/signinwithapplerestapi
 */
export function apple({ script, ...options }: AppleOptions = {}): SocialProvider<'apple'> {
  return defineProvider({
    id: 'apple',
    name: 'Apple',
    colour: '#000',
    scopes: ['name', 'email'],
    icon: () => import('../icons/apple.js'),
    redirectOnly: true,
    steps: () => import('../steps/apple.js').then(({ appleSteps }) => appleSteps(script)),
    ...options,
  })
}
