import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Kraken.
 *
 * @see https://docs.kraken.com/api/docs/oauth/kraken-connect
 */
export function kraken(options?: ProviderOptions): SocialProvider<'kraken'> {
  return defineProvider({
    id: 'kraken',
    name: 'Kraken',
    colour: '#5741d9',
    scopes: ['account.info:basic'],
    icon: () => import('../icons/kraken.js'),
    ...options,
  })
}
