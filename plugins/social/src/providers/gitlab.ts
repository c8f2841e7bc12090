import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with GitLab.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), gitlab()] })
 * @see https://docs.gitlab.com/integration/openid_connect_provider/
 */
export function gitlab(options?: ProviderOptions): SocialPlugin<'gitlab'> {
  return socialProvider({
    id: 'gitlab',
    name: 'GitLab',
    colour: '#fc6d26',
    scopes: ['openid', 'profile', 'email'],
    icon: 'M12 21L2 14 5 3l3 7h8l3-7 3 11z',
    ...options,
  })
}
