import type { Documented } from './types.js'

/** The token response has `scopes`, where RFC 6749 has `scope`. */
export const bitbucket: Documented = {
  id: 'bitbucket',
  pages: [
    'https://developer.atlassian.com/cloud/bitbucket/oauth-2/',
    'https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/',
    'https://bitbucket.org/site/master/issues/16249/im-trying-to-implement-the-bitbucket-oauth',
    'https://bitbucket.org/site/master/issues/11512/access-token-expires-immediately',
  ],
  read: '2026-11-28',
  missing: 'The OAuth page shows no token response: its fields are those that clients of Bitbucket read.',
  responses: {
    '/site/oauth2/access_token': {
      access_token: 'a',
      scopes: 'account email repository',
      expires_in: 7200,
      refresh_token: 'r',
      token_type: 'bearer',
    },
    '/2.0/user': {
      type: 'user',
      links: { avatar: { href: 'https://bitbucket.org/account/tutorials/avatar/' } },
      created_on: '2011-12-20T16:34:07.132459+00:00',
      display_name: 'tutorials account',
      nickname: 'tutorials',
      uuid: '{c788b2da-b7a2-404c-9e26-d3f077557007}',
    },
    '/2.0/user/emails': {
      values: [{ is_primary: true, is_confirmed: true, type: 'email', email: 'tutorials@bitbucket.org' }],
      page: 1,
      size: 1,
    },
  },
  profile: {
    id: '{c788b2da-b7a2-404c-9e26-d3f077557007}',
    username: 'tutorials',
    name: 'tutorials account',
    email: 'tutorials@bitbucket.org',
    emailVerified: true,
    picture: 'https://bitbucket.org/account/tutorials/avatar/',
  },
  scope: 'account email repository',
  declined: { error: 'access_denied' },
  errors: [
    {
      path: '/site/oauth2/access_token',
      status: 400,
      body: { error_description: 'Unsupported grant type: None', error: 'invalid_grant' },
      error: 'invalid_grant',
    },
    {
      path: '/2.0/user',
      status: 401,
      body: { type: 'error', error: { message: 'Access token expired.' } },
      error: 'Access token expired.',
    },
  ],
}
