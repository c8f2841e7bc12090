import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with LinkedIn.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), linkedin()] })
 * @see https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export function linkedin(options?: ProviderOptions): SocialPlugin<'linkedin'> {
  return socialProvider({
    id: 'linkedin',
    name: 'LinkedIn',
    colour: '#0a66c2',
    scopes: ['openid', 'profile', 'email'],
    icon: 'M2 2h20v20H2zm3 7v10h3V9zm1.5-4.5a1.7 1.7 0 100 3.4 1.7 1.7 0 000-3.4zM10 9v10h3v-5.5c0-2.5 3-2.5 3 0V19h3v-6c0-5-5-5-6-2.5V9z',
    ...options,
  })
}
