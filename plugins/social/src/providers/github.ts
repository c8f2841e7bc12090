import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * GitHub.
 *
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function github(options?: ProviderOptions): SocialProvider<'github'> {
  return defineProvider({
    id: 'github',
    name: 'GitHub',
    colour: '#24292f',
    scopes: ['read:user', 'user:email'],
    icon: () => import('../icons/github.js'),
    ...options,
  })
}
