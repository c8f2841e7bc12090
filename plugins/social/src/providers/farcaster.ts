import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Farcaster. No OAuth: the user signs a message (Sign In With Farcaster, FIP-11), and the API verifies the signature.
 *
 * @see https://github.com/farcasterxyz/protocol/discussions/110
 */
export function farcaster(options?: ProviderOptions): SocialProvider<'farcaster'> {
  return defineProvider({
    id: 'farcaster',
    name: 'Farcaster',
    colour: '#8a63d2',
    withoutCode: true,
    icon: () => import('../icons/farcaster.js'),
    ...options,
  })
}
