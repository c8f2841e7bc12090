import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with X (Twitter). It requires PKCE, and returns a username and no email.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), twitter()] })
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
export function twitter(options?: ProviderOptions): SocialPlugin<'twitter'> {
  return socialProvider({
    id: 'twitter',
    name: 'X (Twitter)',
    colour: '#000',
    scopes: ['users.read', 'tweet.read'],
    icon: 'M2 3h6l5 6.5L18.5 3H21l-6.8 8L22 21h-6l-5-6.7L5 21H2.5l7.2-8.4zm3.5 2l11 14h2l-11-14z',
    ...options,
  })
}
