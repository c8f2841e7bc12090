import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Bitbucket. Its scopes are those of the registered client as well; emails are asked for apart.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 */
export function bitbucket(options?: ProviderOptions): SocialProvider<'bitbucket'> {
  return defineProvider({
    id: 'bitbucket',
    name: 'Bitbucket',
    colour: '#2684ff',
    scopes: ['account', 'email'],
    icon: () => import('../icons/bitbucket.js'),
    ...options,
  })
}
