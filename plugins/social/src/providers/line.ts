import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with LINE.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), line()] })
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
export function line(options?: ProviderOptions): SocialPlugin<'line'> {
  return socialProvider({
    id: 'line',
    name: 'LINE',
    colour: '#06c755',
    scopes: ['openid', 'profile', 'email'],
    icon: 'M12 3c5.5 0 10 3.5 10 8 0 4-4 7-10 11 .5-2 .5-3-.5-3.2C6 18.3 2 15 2 11c0-4.5 4.5-8 10-8zM6 8v5h3v-1.2H7.3V8zm4 0v5h1.3V8zm2.5 0v5h1.2v-3l2 3H17V8h-1.2v3l-2-3z',
    ...options,
  })
}
