import type { Documented } from './types.js'

/** The test adds `nonce`, `message`, `signature` and `custody` to the completed channel, and is the registry of keys. */
export const farcaster: Documented = {
  id: 'farcaster',
  pages: [
    'https://docs.farcaster.xyz/auth-kit/client/app/status',
    'https://docs.farcaster.xyz/auth-kit/client/app/create-channel',
    'https://github.com/farcasterxyz/protocol/discussions/110',
    'https://ethereum.org/developers/docs/apis/json-rpc/#eth_call',
  ],
  read: '2026-11-28',
  missing: 'The pages list fields with their types; the values are ours. A refusal is not documented.',
  responses: {
    // A node's answer to `eth_call` of `getId(address)`.
    '': { jsonrpc: '2.0', id: 1, result: `0x${(6841).toString(16).padStart(64, '0')}` },
    '/v1/channel': {
      channelToken: '8d0494d9-e0cf-402b-ab0a-394ac7fe07a0',
      url: 'https://farcaster.xyz/~/siwf?channelToken=8d0494d9-e0cf-402b-ab0a-394ac7fe07a0',
      nonce: 'ESsxs6MaFio7OvqWb',
    },
    '/v1/channel/status': {
      state: 'completed',
      url: 'https://farcaster.xyz/~/siwf?channelToken=8d0494d9-e0cf-402b-ab0a-394ac7fe07a0',
      authMethod: 'custody',
      fid: 6841,
      username: 'alice',
      bio: "I'm a little teapot who didn't fill out my bio",
      displayName: 'Alice Teapot',
      pfpUrl: 'https://images.example.com/profile.png',
      verifications: [],
      signatureParams: { siweUri: 'https://example.com/login', domain: 'example.com' },
      metadata: { ip: '127.0.0.1', userAgent: 'Mozilla/5.0' },
      acceptAuthAddress: false,
    },
  },
  profile: {
    id: '6841',
    username: 'alice',
    name: 'Alice Teapot',
    emailVerified: false,
    picture: 'https://images.example.com/profile.png',
  },
  errors: [
    {
      path: '/v1/channel/status',
      status: 202,
      body: {
        state: 'pending',
        nonce: 'ESsxs6MaFio7OvqWb',
        metadata: { ip: '127.0.0.1', userAgent: 'Mozilla/5.0' },
        acceptAuthAddress: false,
      },
      code: 'no_auth_code',
    },
  ],
}
