import type { Documented } from './types.js'

export const coinbasesocial: Documented = {
  id: 'coinbasesocial',
  pages: [
    'https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference',
    'https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/access-and-refresh-tokens',
    'https://docs.cdp.coinbase.com/coinbase-app/track-apis/users',
  ],
  read: '2026-11-28',
  missing: 'The token response and the errors have the documented fields and codes; their texts are ours.',
  responses: {
    '/oauth2/token': {
      access_token: 'a',
      token_type: 'bearer',
      expires_in: 3599,
      refresh_token: 'r',
      scope: 'wallet:user:read wallet:user:email',
    },
    '/v2/user': {
      data: {
        id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
        name: 'User One',
        username: 'user1',
        profile_location: null,
        profile_bio: null,
        profile_url: 'https://coinbase.com/user1',
        avatar_url: 'https://images.coinbase.com/avatar?s=128',
        resource: 'user',
        resource_path: '/v2/user',
        email: 'user1@example.com',
      },
    },
  },
  profile: {
    id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
    username: 'user1',
    name: 'User One',
    email: 'user1@example.com',
    emailVerified: false,
    picture: 'https://images.coinbase.com/avatar?s=128',
  },
  scope: 'wallet:user:read wallet:user:email',
  declined: { error: 'access_denied', error_description: 'The resource owner denied the request' },
  errors: [
    {
      path: '/oauth2/token',
      status: 401,
      body: { error: 'invalid_grant', error_description: 'The authorization grant is invalid.' },
      error: 'invalid_grant',
    },
    {
      path: '/v2/user',
      status: 401,
      body: { errors: [{ id: 'invalid_token', message: 'The access token is invalid' }] },
      error: 'The access token is invalid',
    },
  ],
}
