import { defineProvider, type FarcasterProvider } from '../provider.js'

/**
 * `SOCIAL_FARCASTER_CLIENT_ID` is the domain in the message, `…_SECRET` the URL of an Optimism node.
 * @see https://docs.farcaster.xyz/auth-kit/client/app/status user profile
 */
export const farcaster: FarcasterProvider = defineProvider({
  id: 'farcaster',
  docs: 'https://github.com/farcasterxyz/protocol/discussions/110',
  protocol: 'farcaster',
  relay: 'https://relay.farcaster.xyz',
  registry: { rpc: 'https://mainnet.optimism.io', address: '0x00000000fc6c5f01fc30151999387bb99a9f489b' },
  profile: {
    id: 'siwf.fid',
    username: 'siwf.username',
    name: ['siwf.displayName', 'siwf.username'],
    picture: 'siwf.pfpUrl',
  },
})
