import type { Documented } from './types.js'

/** Tokens and account are in lists; the granted scopes are `permissions`. */
export const instagram: Documented = {
  id: 'instagram',
  pages: [
    'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login',
    'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started',
    'https://developers.facebook.com/docs/graph-api/guides/error-handling',
  ],
  read: '2026-11-28',
  responses: {
    '/oauth/access_token': {
      data: [
        {
          access_token: 'a',
          user_id: '1020',
          permissions: 'instagram_business_basic,instagram_business_manage_messages',
        },
      ],
    },
    '/v23.0/me': { data: [{ user_id: '17841405822304914', username: 'jaypowell' }] },
  },
  profile: { id: '17841405822304914', username: 'jaypowell', name: 'jaypowell', emailVerified: false },
  scope: 'instagram_business_basic,instagram_business_manage_messages',
  fragment: '#_',
  declined: { error: 'access_denied', error_reason: 'user_denied', error_description: 'The user denied your request' },
  errors: [
    {
      path: '/oauth/access_token',
      status: 400,
      body: {
        error_type: 'OAuthException',
        code: 400,
        error_message: 'Matching code was not found or was already used',
      },
      error: 'Matching code was not found or was already used',
    },
    {
      path: '/v23.0/me',
      status: 400,
      body: { error: { message: 'Message describing the error', type: 'OAuthException', code: 190 } },
      error: 'Message describing the error',
    },
  ],
}
