import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Coinbase.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations
 */
export function coinbasesocial(options?: ProviderOptions): SocialProvider<'coinbasesocial'> {
  return defineProvider({
    id: 'coinbasesocial',
    name: 'Coinbase',
    colour: '#0052ff',
    scopes: ['wallet:user:read', 'wallet:user:email'],
    icon: () => import('../icons/coinbasesocial.js'),
    ...options,
  })
}
