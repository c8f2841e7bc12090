import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Shopify. Every shop signs its people in at its own domain: `connect('social:shopify', { shop: 'acme.myshopify.com' })`, or
 * the user is asked.
 *
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export function shopify(options?: ProviderOptions): SocialProvider<'shopify'> {
  return defineProvider({
    id: 'shopify',
    name: 'Shopify',
    colour: '#7ab55c',
    scopes: ['read_products'],
    icon: () => import('../icons/shopify.js'),
    asks: {
      field: 'shop',
      label: 'Your shop’s domain',
      example: 'acme.myshopify.com',
      pattern: /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/i,
    },
    ...options,
  })
}
