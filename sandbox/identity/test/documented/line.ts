import type { Documented } from './types.js'

export const line: Documented = {
  id: 'line',
  pages: [
    'https://developers.line.biz/en/reference/line-login/#issue-access-token',
    'https://developers.line.biz/en/docs/line-login/integrate-line-login/',
    'https://developers.line.biz/en/docs/line-login/verify-id-token/#payload',
  ],
  read: '2026-11-28',
  responses: {
    '/oauth2/v2.1/token': {
      access_token: 'a',
      expires_in: 2_592_000,
      id_token: '',
      refresh_token: 'r',
      scope: 'profile',
      token_type: 'Bearer',
    },
  },
  claims: {
    iss: 'https://access.line.me',
    sub: 'U1234567890abcdef',
    amr: ['pwd'],
    name: 'Taro Line',
    picture: 'https://sample_line.me/aBcdefg123456',
    email: 'taro.line@example.com',
  },
  profile: {
    id: 'U1234567890abcdef',
    name: 'Taro Line',
    email: 'taro.line@example.com',
    emailVerified: false,
    picture: 'https://sample_line.me/aBcdefg123456',
  },
  scope: 'profile',
  returned: { friendship_status_changed: 'true' },
  declined: { error: 'ACCESS_DENIED', error_description: 'The resource owner denied the request.' },
  errors: [
    {
      path: '/oauth2/v2.1/token',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'invalid authorization code' },
      error: 'invalid_grant',
    },
  ],
}
