import type { Documented } from './types.js'

/** Errors of the API are problems (RFC 9457), with `title` and `detail`. */
export const twitter: Documented = {
  id: 'twitter',
  pages: [
    'https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code',
    'https://docs.x.com/x-api/users/get-my-user',
    'https://docs.x.com/x-api/fundamentals/response-codes-and-errors',
  ],
  read: '2026-11-28',
  missing: 'The error of the token endpoint is the one that published clients of X quote.',
  responses: {
    '/2/oauth2/token': {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'a',
      scope: 'users.email users.read tweet.read',
    },
    '/2/users/me': { data: { username: 'TwitterDev', pinned_tweet_id: '125', id: '2244994945', name: 'Twitter Dev' } },
    '/2/users/me?user.fields=confirmed_email': {
      data: { username: 'TwitterDev', id: '2244994945', name: 'Twitter Dev', confirmed_email: 'dev@example.com' },
    },
  },
  profile: {
    id: '2244994945',
    username: 'TwitterDev',
    name: 'Twitter Dev',
    email: 'dev@example.com',
    emailVerified: true,
  },
  scope: 'users.email users.read tweet.read',
  declined: { error: 'access_denied' },
  errors: [
    {
      path: '/2/oauth2/token',
      status: 400,
      body: { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
      error: 'invalid_request',
    },
    {
      path: '/2/users/me',
      status: 401,
      body: { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
      error: 'Unauthorized',
    },
  ],
}
