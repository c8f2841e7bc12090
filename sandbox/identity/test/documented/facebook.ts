import type { Documented } from './types.js'

/** An error's `code` is a number. */
export const facebook: Documented = {
  id: 'facebook',
  pages: [
    'https://developers.facebook.com/documentation/facebook-login/guides/advanced/manual-flow',
    'https://developers.facebook.com/docs/graph-api/reference/user',
    'https://developers.facebook.com/docs/graph-api/guides/error-handling',
  ],
  read: '2026-11-28',
  responses: {
    '/v23.0/oauth/access_token': { access_token: 'a', token_type: 'bearer', expires_in: 5_183_944 },
    '/v23.0/me': {
      id: '10000000000000001',
      name: 'Ann Archer',
      email: 'ann@example.com',
      picture: {
        data: { height: 50, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/a.jpg', width: 50 },
      },
    },
  },
  profile: {
    id: '10000000000000001',
    name: 'Ann Archer',
    email: 'ann@example.com',
    emailVerified: false,
    picture: 'https://platform-lookaside.fbsbx.com/a.jpg',
  },
  scope: 'public_profile email',
  declined: { error_reason: 'user_denied', error: 'access_denied', error_description: 'Permissions error.' },
  errors: [
    {
      path: '/v23.0/oauth/access_token',
      status: 400,
      body: {
        error: {
          message: 'This authorization code has been used.',
          type: 'OAuthException',
          code: 100,
          fbtrace_id: 'D',
        },
      },
      error: 'This authorization code has been used.',
    },
    {
      path: '/v23.0/me',
      status: 400,
      body: {
        error: {
          message: 'Message describing the error',
          type: 'OAuthException',
          code: 190,
          error_subcode: 460,
          error_user_title: 'A title',
          error_user_msg: 'A message',
          fbtrace_id: 'E',
        },
      },
      error: 'Message describing the error',
    },
  ],
}
