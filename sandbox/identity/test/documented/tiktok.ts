import type { Documented } from './types.js'

/** Each response of the account has an `error`, whose code is `ok` in a good one. */
export const tiktok: Documented = {
  id: 'tiktok',
  pages: [
    'https://developers.tiktok.com/doc/oauth-user-access-token-management',
    'https://developers.tiktok.com/doc/oauth-error-handling',
    'https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info',
    'https://developers.tiktok.com/doc/tiktok-api-v2-error-handling',
  ],
  read: '2026-11-28',
  responses: {
    '/v2/oauth/token/': {
      access_token: 'act.1',
      expires_in: 86_400,
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      refresh_expires_in: 31_536_000,
      refresh_token: 'rft.1',
      scope: 'user.info.basic,video.list',
      token_type: 'Bearer',
    },
    '/v2/user/info/': {
      data: {
        user: {
          avatar_url: 'https://p19-sign.tiktokcdn-us.com/b17f0e4b.jpeg',
          open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
          union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
        },
      },
      error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
    },
  },
  profile: {
    id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    emailVerified: false,
    picture: 'https://p19-sign.tiktokcdn-us.com/b17f0e4b.jpeg',
  },
  scope: 'user.info.basic,video.list',
  returned: { scopes: 'user.info.basic,video.list' },
  declined: { error: 'access_denied', error_description: 'The resource owner denied the request.' },
  errors: [
    {
      path: '/v2/oauth/token/',
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: 'Redirect_uri is not matched with the uri when requesting code.',
        log_id: '2',
      },
      error: 'invalid_request',
    },
    {
      path: '/v2/user/info/',
      status: 401,
      body: { data: {}, error: { code: 'access_token_invalid', message: 'The access token is invalid.', log_id: '2' } },
      error: 'The access token is invalid.',
    },
  ],
}
