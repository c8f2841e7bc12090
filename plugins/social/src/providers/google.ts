import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Google.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), google()] })
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export function google(options?: ProviderOptions): SocialPlugin<'google'> {
  return socialProvider({
    id: 'google',
    name: 'Google',
    colour: '#4285f4',
    scopes: ['openid', 'email', 'profile'],
    icon: 'M21.5 10H12v4h5.4a5.6 5.6 0 11-1.6-6l2.9-2.9A9.7 9.7 0 1021.7 12c0-.7 0-1.3-.2-2z',
    ...options,
  })
}
