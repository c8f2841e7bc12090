import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

export interface AppleOptions extends ProviderOptions {
  /** URL of Apple’s script. Default: Apple’s server. */
  readonly script?: string
}
/**
 * Sign-in with Apple. Apple's script leaves the page. The response is posted to the API (`form_post`, which Apple requires for a
 * name or an email), and the API redirects the user back.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), apple()] })
 * @see https://developer.apple.com/documentation/signinwithapplerestapi
 */
export function apple({ script, ...options }: AppleOptions = {}): SocialPlugin<'apple'> {
  return socialProvider({
    id: 'apple',
    name: 'Apple',
    colour: '#000',
    scopes: ['name', 'email'],
    icon: 'M12 7c1-3 3-4 5-4 0 2-2 4-5 4zM7 7c2 0 3 1 5 1s3-1 5-1c1 0 3 1 4 2-3 2-2 7 1 8-1 3-3 6-5 6-1 0-2-1-4-1s-3 1-4 1c-4 0-7-5-7-9s2-7 5-7z',
    redirectOnly: true,
    steps: async () => (await import('../steps/apple.js')).appleSteps(script),
    ...options,
  })
}
