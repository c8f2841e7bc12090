import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Twitch.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), twitch()] })
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 */
export function twitch(options?: ProviderOptions): SocialPlugin<'twitch'> {
  return socialProvider({
    id: 'twitch',
    name: 'Twitch',
    colour: '#9146ff',
    scopes: ['openid', 'user:read:email'],
    icon: 'M4 2h17v12l-5 5h-4l-3 3H7v-3H3V6zm2 2v11h4v3l3-3h3l3-3V4zm4 3h2v5h-2zm5 0h2v5h-2z',
    ...options,
  })
}
