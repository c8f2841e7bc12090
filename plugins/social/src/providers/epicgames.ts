import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Epic Games.
 *
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication
 */
export function epicgames(options?: ProviderOptions): SocialProvider<'epicgames'> {
  return defineProvider({
    id: 'epicgames',
    name: 'Epic Games',
    colour: '#313131',
    scopes: ['basic_profile'],
    icon: () => import('../icons/epicgames.js'),
    ...options,
  })
}
