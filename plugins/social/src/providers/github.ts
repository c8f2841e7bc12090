import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with GitHub.
 *
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function github(options?: ProviderOptions): SocialPlugin<'github'> {
  return socialProvider({
    id: 'github',
    name: 'GitHub',
    colour: '#24292f',
    scopes: ['read:user', 'user:email'],
    icon: 'M12 2a10 10 0 00-3 19.5c.5 0 .7-.3.7-.6v-2c-3 .6-3.5-1.4-3.5-1.4-.5-1.1-1-1.5-1-1.5-1-.6 0-.6 0-.6 1 .1 1.5 1 1.5 1 1 1.6 2.5 1.2 3 .9.1-.6.4-1.1.7-1.3-2.2-.3-4.6-1.2-4.6-5 0-1 .4-2 1-2.7-.1-.3-.4-1.3.1-2.7 0 0 .9-.3 2.8 1a9 9 0 015 0c1.9-1.3 2.8-1 2.8-1 .5 1.4.2 2.4.1 2.7.6.7 1 1.6 1 2.7 0 3.8-2.4 4.7-4.6 5 .4.3.7.9.7 1.8v2.7c0 .3.2.6.7.6A10 10 0 0012 2z',
    ...options,
  })
}
