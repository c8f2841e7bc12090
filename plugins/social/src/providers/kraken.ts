import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Kraken.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), kraken()] })
 * @see https://docs.kraken.com/api/docs/oauth/kraken-connect
 */
export function kraken(options?: ProviderOptions): SocialPlugin<'kraken'> {
  return socialProvider({
    id: 'kraken',
    name: 'Kraken',
    colour: '#5741d9',
    scopes: ['account.info:basic'],
    icon: 'M12 3A10 10 0 002 13v4a1.4 1.4 0 002.9 0v-4a1.4 1.4 0 012.8 0v4a1.4 1.4 0 002.9 0v-4a1.4 1.4 0 012.8 0v4a1.4 1.4 0 002.9 0v-4a1.4 1.4 0 012.8 0v4a1.4 1.4 0 002.9 0v-4A10 10 0 0012 3z',
    ...options,
  })
}
