import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with GitHub.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), github()] })
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function github(options?: ProviderOptions): SocialPlugin<'github'> {
  return socialProvider({
    id: 'github',
    name: 'GitHub',
    colour: '#24292f',
    scopes: ['read:user', 'user:email'],
    icon: 'M12 2a10 10 0 00-3 19.5c.5 0 .7-.3.7-2.6-3.5.6-3.5-2-4.5-2.9 2-1 2 2 4.5 1.3 0-.7.4-1.1.7-1.3-4.6-1-5.6-5-3.6-7.7-.1-.3-.4-1.3.1-2.7 1 0 2 .5 2.8 1a9 9 0 015 0c.8-.5 1.8-1 2.8-1 .5 1.4.2 2.4.1 2.7 2 2.7 1 6.7-3.6 7.7.7.5.7 2 .7 4.5 0 .3.2.6.7.6A10 10 0 0012 2z',
    ...options,
  })
}
