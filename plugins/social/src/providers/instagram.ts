import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Instagram. It tells a user name and no email.
 *
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 */
export function instagram(options?: ProviderOptions): SocialProvider<'instagram'> {
  return defineProvider({
    id: 'instagram',
    name: 'Instagram',
    colour: '#e4405f',
    scopes: ['instagram_business_basic'],
    icon: () => import('../icons/instagram.js'),
    ...options,
  })
}
