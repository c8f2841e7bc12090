import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Spotify.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
export function spotify(options?: ProviderOptions): SocialProvider<'spotify'> {
  return defineProvider({
    id: 'spotify',
    name: 'Spotify',
    colour: '#1db954',
    scopes: ['user-read-private', 'user-read-email'],
    icon: () => import('../icons/spotify.js'),
    ...options,
  })
}
