import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Bitbucket. The registered client must have the same scopes; emails are a separate request.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), bitbucket()] })
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 */
export function bitbucket(options?: ProviderOptions): SocialPlugin<'bitbucket'> {
  return socialProvider({
    id: 'bitbucket',
    name: 'Bitbucket',
    colour: '#2684ff',
    scopes: ['account', 'email'],
    icon: 'M2 3h20l-3 18H5zm7 6l1 7h4l1-7z',
    ...options,
  })
}
