import type { Documented } from './types.js'

export const gitlab: Documented = {
  id: 'gitlab',
  pages: [
    'https://docs.gitlab.com/integration/openid_connect_provider/#shared-information',
    'https://docs.gitlab.com/api/oauth2/#authorization-code-flow',
    'https://gitlab.com/.well-known/openid-configuration',
  ],
  read: '2026-11-28',
  missing:
    'No page was open on that day: the responses are older ones of this repository. Errors are those of RFC 6749; the values are ours.',
  responses: {
    '/.well-known/openid-configuration': {
      issuer: 'https://gitlab.com',
      authorization_endpoint: 'https://gitlab.com/oauth/authorize',
      token_endpoint: 'https://gitlab.com/oauth/token',
      userinfo_endpoint: 'https://gitlab.com/oauth/userinfo',
      jwks_uri: 'https://gitlab.com/oauth/discovery/keys',
    },
    '/oauth/token': {
      access_token: 'a',
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: 'r',
      scope: 'openid profile email',
      created_at: 1_607_635_748,
      id_token: '',
    },
    '/oauth/userinfo': {
      sub: '1574083',
      name: 'Ann Archer',
      nickname: 'ann',
      preferred_username: 'ann',
      email: 'ann@example.com',
      email_verified: true,
      profile: 'https://gitlab.com/ann',
      picture: 'https://gitlab.com/avatar/1574083/avatar.png',
      groups: ['ann'],
    },
  },
  claims: { iss: 'https://gitlab.com', sub: '1574083', auth_time: 1_607_635_700, sub_legacy: 'b' },
  profile: {
    id: '1574083',
    username: 'ann',
    name: 'Ann Archer',
    email: 'ann@example.com',
    emailVerified: true,
    picture: 'https://gitlab.com/avatar/1574083/avatar.png',
  },
  scope: 'openid profile email',
  declined: {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request.',
  },
  errors: [
    {
      path: '/oauth/token',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' },
      error: 'invalid_grant',
    },
  ],
}
