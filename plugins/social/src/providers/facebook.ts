import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Facebook.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export function facebook(options?: ProviderOptions): SocialProvider<'facebook'> {
  return defineProvider({
    id: 'facebook',
    name: 'Facebook',
    colour: '#0866ff',
    scopes: ['public_profile', 'email'],
    icon: () => import('../icons/facebook.js'),
    ...options,
  })
}
