import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Spotify.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), spotify()] })
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
export function spotify(options?: ProviderOptions): SocialPlugin<'spotify'> {
  return socialProvider({
    id: 'spotify',
    name: 'Spotify',
    colour: '#1db954',
    scopes: ['user-read-private', 'user-read-email'],
    icon: 'M12 2a10 10 0 100 20 10 10 0 000-20zM7 8.5c3.5-1 7.5-.6 10.5 1.2l-.9 1.5c-2.6-1.5-6-1.9-9.1-1zM7.4 12c3-.8 6-.4 8.6 1.1l-.8 1.3c-2.2-1.3-4.8-1.6-7.3-.9zm.4 3.3c2.4-.6 4.8-.3 6.8.9l-.7 1.1c-1.7-1-3.6-1.2-5.7-.7z',
    ...options,
  })
}
