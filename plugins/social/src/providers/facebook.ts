import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Facebook.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), facebook()] })
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export function facebook(options?: ProviderOptions): SocialPlugin<'facebook'> {
  return socialProvider({
    id: 'facebook',
    name: 'Facebook',
    colour: '#0866ff',
    scopes: ['public_profile', 'email'],
    icon: 'M12 2a10 10 0 10-1.5 19.9V15H8v-3h2.5V9.8C10.5 7.3 12 6 14.2 6h2v2.6h-1.5c-1 0-1.3.6-1.3 1.4v2h2.7l-.5 3h-2.2v6.9A10 10 0 0012 2z',
    ...options,
  })
}
