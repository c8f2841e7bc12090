import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Steam. OpenID 2.0: the answer is a signed list of fields, which the API has Steam check (`check_authentication`).
 *
 * @see https://partner.steamgames.com/doc/features/auth#website
 */
export function steam(options?: ProviderOptions): SocialProvider<'steam'> {
  return defineProvider({
    id: 'steam',
    name: 'Steam',
    colour: '#171a21',
    withoutCode: true,
    icon: () => import('../icons/steam.js'),
    ...options,
  })
}
