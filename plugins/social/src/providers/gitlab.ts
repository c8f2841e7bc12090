import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * GitLab.
 *
 * @see https://docs.gitlab.com/integration/openid_connect_provider/
 */
export function gitlab(options?: ProviderOptions): SocialProvider<'gitlab'> {
  return defineProvider({
    id: 'gitlab',
    name: 'GitLab',
    colour: '#fc6d26',
    scopes: ['openid', 'profile', 'email'],
    icon: () => import('../icons/gitlab.js'),
    ...options,
  })
}
