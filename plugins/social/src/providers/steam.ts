import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Steam. OpenID 2.0: the response is a signed list of fields that Steam verifies for the API
 * (`check_authentication`).
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), steam()] })
 * @see https://partner.steamgames.com/doc/features/auth#website
 */
export function steam(options?: ProviderOptions): SocialPlugin<'steam'> {
  return socialProvider({
    id: 'steam',
    name: 'Steam',
    colour: '#171a21',
    withoutCode: true,
    icon: 'M12 2A10 10 0 002 11.2l5.4 2.2a3 3 0 012-.4l2.3-3.4a4 4 0 114 4l-3.4 2.4a3 3 0 01-5.9.7L2.5 15A10 10 0 1012 2zm3.7 5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z',
    ...options,
  })
}
