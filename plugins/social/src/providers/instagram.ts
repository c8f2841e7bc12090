import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Instagram. It returns a username and no email.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), instagram()] })
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 */
export function instagram(options?: ProviderOptions): SocialPlugin<'instagram'> {
  return socialProvider({
    id: 'instagram',
    name: 'Instagram',
    colour: '#e4405f',
    scopes: ['instagram_business_basic'],
    icon: 'M7 2h10a5 5 0 015 5v10a5 5 0 01-5 5H7a5 5 0 01-5-5V7a5 5 0 015-5zm0 2a3 3 0 00-3 3v10a3 3 0 003 3h10a3 3 0 003-3V7a3 3 0 00-3-3zm5 3a5 5 0 110 10 5 5 0 010-10zm0 2a3 3 0 100 6 3 3 0 000-6z',
    ...options,
  })
}
