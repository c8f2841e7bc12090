import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * X, once Twitter. It demands PKCE, and tells a user name and no email.
 *
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
export function twitter(options?: ProviderOptions): SocialProvider<'twitter'> {
  return defineProvider({
    id: 'twitter',
    name: 'X (Twitter)',
    colour: '#000',
    scopes: ['users.read', 'tweet.read'],
    icon: () => import('../icons/twitter.js'),
    ...options,
  })
}
