import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Shopify. Every shop has its own domain: `connect('social:shopify', { shop: 'acme.myshopify.com' })`. Without
 * `shop` the user is prompted for it.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), shopify()] })
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export function shopify(options?: ProviderOptions): SocialPlugin<'shopify'> {
  return socialProvider({
    id: 'shopify',
    name: 'Shopify',
    colour: '#7ab55c',
    scopes: ['read_products'],
    icon: 'M8 6c0-2.5 1.8-4 4-4s4 1.5 4 4h4l1 16H3L4 6zm2 0h4c0-1.3-.8-2-2-2s-2 .7-2 2zm5 5c-1-1-6-1.5-6 1.5 0 2.5 4 2 4 3.5s-2.5 1-4 0l-.5 2c2 1.5 7 1.5 7-2 0-2.7-4-2.3-4-3.5s2-1 3 0z',
    asks: {
      field: 'shop',
      label: 'Your shop’s domain',
      example: 'acme.myshopify.com',
      pattern: /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/i,
    },
    ...options,
  })
}
