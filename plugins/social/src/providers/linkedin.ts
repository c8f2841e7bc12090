import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * LinkedIn.
 *
 * @see https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export function linkedin(options?: ProviderOptions): SocialProvider<'linkedin'> {
  return defineProvider({
    id: 'linkedin',
    name: 'LinkedIn',
    colour: '#0a66c2',
    scopes: ['openid', 'profile', 'email'],
    icon: () => import('../icons/linkedin.js'),
    ...options,
  })
}
