import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Coinbase.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), coinbasesocial()] })
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations
 */
export function coinbasesocial(options?: ProviderOptions): SocialPlugin<'coinbasesocial'> {
  return socialProvider({
    id: 'coinbasesocial',
    name: 'Coinbase',
    colour: '#0052ff',
    scopes: ['wallet:user:read', 'wallet:user:email'],
    icon: 'M12 2a10 10 0 100 20 10 10 0 000-20zm0 5a5 5 0 014.9 4h-2.6a2.5 2.5 0 100 2h2.6A5 5 0 1112 7z',
    ...options,
  })
}
