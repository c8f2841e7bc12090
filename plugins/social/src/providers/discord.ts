import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Discord.
 *
 * @see https://docs.discord.com/developers/topics/oauth2
 */
export const discord = (options?: ProviderOptions): SocialProvider<'discord'> =>
  defineProvider({
    id: 'discord',
    name: 'Discord',
    colour: '#5865f2',
    scopes: ['identify', 'email'],
    icon: () => import('../icons/discord.js'),
    ...options,
  })
