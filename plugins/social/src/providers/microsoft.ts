import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Microsoft.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export function microsoft(options?: ProviderOptions): SocialProvider<'microsoft'> {
  return defineProvider({
    id: 'microsoft',
    name: 'Microsoft',
    colour: '#0078d4',
    scopes: ['openid', 'profile', 'email', 'User.Read'],
    icon: () => import('../icons/microsoft.js'),
    ...options,
  })
}
