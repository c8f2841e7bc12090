import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Twitch.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 */
export function twitch(options?: ProviderOptions): SocialProvider<'twitch'> {
  return defineProvider({
    id: 'twitch',
    name: 'Twitch',
    colour: '#9146ff',
    scopes: ['openid', 'user:read:email'],
    icon: () => import('../icons/twitch.js'),
    ...options,
  })
}
