import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Epic Games.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), epicgames()] })
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication
 */
export function epicgames(options?: ProviderOptions): SocialPlugin<'epicgames'> {
  return socialProvider({
    id: 'epicgames',
    name: 'Epic Games',
    colour: '#313131',
    scopes: ['basic_profile'],
    icon: 'M4 2h16v16l-8 4-8-4zm5 4v10h6v-2h-4v-2h3v-2h-3V8h4V6z',
    ...options,
  })
}
