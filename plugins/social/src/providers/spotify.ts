import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Spotify.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
export const spotify = (options?: ProviderOptions): SocialProvider<'spotify'> =>
  defineProvider({
    id: 'spotify',
    name: 'Spotify',
    colour: '#1db954',
    scopes: ['user-read-private', 'user-read-email'],
    icon: () => import('../icons/spotify.js'),
    ...options,
  })
