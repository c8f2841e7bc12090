import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Microsoft.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), microsoft()] })
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export function microsoft(options?: ProviderOptions): SocialPlugin<'microsoft'> {
  return socialProvider({
    id: 'microsoft',
    name: 'Microsoft',
    colour: '#0078d4',
    scopes: ['openid', 'profile', 'email', 'User.Read'],
    icon: 'M2 2h9v9H2zm11 0h9v9h-9zM2 13h9v9H2zm11 0h9v9h-9z',
    ...options,
  })
}
