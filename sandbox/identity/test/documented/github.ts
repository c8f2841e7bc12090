import type { Documented } from './types.js'

/** The token endpoint refuses with status 200. */
export const github: Documented = {
  id: 'github',
  pages: [
    'https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    'https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
    'https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-authorization-request-errors',
    'https://docs.github.com/rest/users/users',
    'https://docs.github.com/rest/users/emails',
  ],
  read: '2026-11-28',
  missing:
    'The pages of the REST API were not open on that day: the user and the addresses are older responses of this repository.',
  responses: {
    '/login/oauth/access_token': { access_token: 'gho_1', scope: 'read:user,user:email', token_type: 'bearer' },
    '/user': {
      login: 'octocat',
      id: 1,
      node_id: 'MDQ6VXNlcjE=',
      avatar_url: 'https://github.com/images/error/octocat_happy.gif',
      gravatar_id: '',
      type: 'User',
      name: 'monalisa octocat',
      email: 'octocat@github.com',
    },
    '/user/emails': [{ email: 'octocat@github.com', verified: true, primary: true, visibility: 'public' }],
  },
  profile: {
    id: '1',
    username: 'octocat',
    name: 'monalisa octocat',
    email: 'octocat@github.com',
    emailVerified: true,
    picture: 'https://github.com/images/error/octocat_happy.gif',
  },
  scope: 'read:user,user:email',
  declined: {
    error: 'access_denied',
    error_description: 'The user has denied your application access.',
    error_uri: '/apps/building-integrations/',
  },
  errors: [
    {
      path: '/login/oauth/access_token',
      status: 200,
      body: {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
        error_uri: '/apps/#bad-verification-code',
      },
      error: 'bad_verification_code',
    },
    {
      path: '/user',
      status: 401,
      body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest', status: '401' },
      error: 'Bad credentials',
    },
  ],
}
