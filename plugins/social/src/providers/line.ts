import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * LINE.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
export function line(options?: ProviderOptions): SocialProvider<'line'> {
  return defineProvider({
    id: 'line',
    name: 'LINE',
    colour: '#06c755',
    scopes: ['openid', 'profile', 'email'],
    icon: () => import('../icons/line.js'),
    ...options,
  })
}
