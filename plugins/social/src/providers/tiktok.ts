import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * TikTok. It calls the client’s id `client_key`, and puts commas between scopes.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 */
export function tiktok(options?: ProviderOptions): SocialProvider<'tiktok'> {
  return defineProvider({
    id: 'tiktok',
    name: 'TikTok',
    colour: '#010101',
    scopes: ['user.info.basic'],
    icon: () => import('../icons/tiktok.js'),
    ...options,
  })
}
