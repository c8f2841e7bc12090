import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Google.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export function google(options?: ProviderOptions): SocialProvider<'google'> {
  return defineProvider({
    id: 'google',
    name: 'Google',
    colour: '#4285f4',
    scopes: ['openid', 'email', 'profile'],
    icon: () => import('../icons/google.js'),
    ...options,
  })
}
