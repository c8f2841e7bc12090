import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Farcaster. Not OAuth: the user signs a message (Sign In With Farcaster, FIP-11), and the API verifies the
 * signature.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), farcaster()] })
 * @see https://github.com/farcasterxyz/protocol/discussions/110
 */
export function farcaster(options?: ProviderOptions): SocialPlugin<'farcaster'> {
  return socialProvider({
    id: 'farcaster',
    name: 'Farcaster',
    colour: '#8a63d2',
    withoutCode: true,
    icon: 'M4 3h16v3h2v2h-1v11h1v2h-6v-2h1v-5a5 5 0 00-10 0v5h1v2H2v-2h1V8H2V6h2z',
    ...options,
  })
}
