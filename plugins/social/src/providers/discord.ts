import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Discord.
 *
 * @see https://docs.discord.com/developers/topics/oauth2
 */
export function discord(options?: ProviderOptions): SocialProvider<'discord'> {
  return defineProvider({
    id: 'discord',
    name: 'Discord',
    colour: '#5865f2',
    scopes: ['identify', 'email'],
    icon: () => import('../icons/discord.js'),
    ...options,
  })
}
