import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with TikTok. It names the client ID `client_key` and separates scopes by commas.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), tiktok()] })
 * @see https://developers.tiktok.com/doc/login-kit-web
 */
export function tiktok(options?: ProviderOptions): SocialPlugin<'tiktok'> {
  return socialProvider({
    id: 'tiktok',
    name: 'TikTok',
    colour: '#010101',
    scopes: ['user.info.basic'],
    icon: 'M13 2h3c.3 2.5 1.7 4 4 4.3v3.2c-1.5 0-2.8-.5-4-1.3v7.3a6 6 0 11-6.5-5.9v3.2a2.8 2.8 0 103.5 2.7z',
    ...options,
  })
}
