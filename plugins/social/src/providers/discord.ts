import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Discord.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), discord()] })
 * @see https://docs.discord.com/developers/topics/oauth2
 */
export function discord(options?: ProviderOptions): SocialPlugin<'discord'> {
  return socialProvider({
    id: 'discord',
    name: 'Discord',
    colour: '#5865f2',
    scopes: ['identify', 'email'],
    icon: 'M5 5l4-1 1 2h4l1-2 4 1c2 4 3 8 3 12-2 2-4 2-5 3l-1-3H8l-1 3c-1-1-3-1-5-3 0-4 1-8 3-12zm3 5v4h3v-4zm5 0v4h3v-4z',
    ...options,
  })
}
