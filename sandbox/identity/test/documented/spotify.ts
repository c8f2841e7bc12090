import type { Documented } from './types.js'

/** The token endpoint and the Web API have different errors. */
export const spotify: Documented = {
  id: 'spotify',
  pages: [
    'https://developer.spotify.com/documentation/web-api/tutorials/code-flow',
    'https://developer.spotify.com/documentation/web-api/concepts/api-calls',
    'https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile',
  ],
  read: '2026-11-28',
  missing: 'The errors have the documented fields; their texts are ours.',
  responses: {
    '/api/token': {
      access_token: 'a',
      token_type: 'Bearer',
      scope: 'user-read-private user-read-email',
      expires_in: 3600,
      refresh_token: 'r',
    },
    '/v1/me': {
      account_id: 'aB3dE5fG7h',
      country: 'SE',
      display_name: 'JM Wizzler',
      email: 'email@example.com',
      external_urls: { spotify: 'https://open.spotify.com/user/wizzler' },
      followers: { href: null, total: 3829 },
      href: 'https://api.spotify.com/v1/users/wizzler',
      id: 'wizzler',
      images: [{ height: null, url: 'https://fbcdn-profile-a.akamaihd.net/a.jpg', width: null }],
      product: 'premium',
      type: 'user',
      uri: 'spotify:user:wizzler',
    },
  },
  profile: {
    id: 'aB3dE5fG7h',
    name: 'JM Wizzler',
    email: 'email@example.com',
    emailVerified: false,
    picture: 'https://fbcdn-profile-a.akamaihd.net/a.jpg',
  },
  scope: 'user-read-private user-read-email',
  declined: { error: 'access_denied' },
  errors: [
    {
      path: '/api/token',
      status: 400,
      body: { error: 'invalid_client', error_description: 'Invalid client secret' },
      error: 'invalid_client',
    },
    {
      path: '/v1/me',
      status: 401,
      body: { error: { status: 401, message: 'Invalid access token' } },
      error: 'Invalid access token',
    },
  ],
}
