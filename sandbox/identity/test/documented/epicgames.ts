import type { Documented } from './types.js'

export const epicgames: Documented = {
  id: 'epicgames',
  pages: ['https://dev.epicgames.com/docs/web-api-ref/authentication'],
  read: '2026-11-28',
  missing:
    'No copy of the page was found. The fields are those that published clients of Epic Games read, its own SDK log among them.',
  responses: {
    '/epic/oauth/v2/token': {
      scope: 'basic_profile',
      token_type: 'bearer',
      access_token: 'a',
      refresh_token: 'r',
      expires_in: 7200,
      expires_at: '2026-11-28T12:00:00.000Z',
      refresh_expires_in: 28_800,
      refresh_expires_at: '2026-11-28T18:00:00.000Z',
      account_id: '57cbfe9b0eb34ac6',
      client_id: 'c',
      application_id: 'f',
    },
    '/epic/oauth/v2/userInfo': { sub: '57cbfe9b0eb34ac6', preferred_username: 'krisreddig' },
  },
  profile: { id: '57cbfe9b0eb34ac6', username: 'krisreddig', name: 'krisreddig', emailVerified: false },
  scope: 'basic_profile',
  declined: { error: 'access_denied' },
  errors: [
    {
      path: '/epic/oauth/v2/token',
      status: 400,
      body: {
        errorCode: 'errors.com.epicgames.account.oauth.authorization_code_not_found',
        errorMessage: 'The authorization code was not found.',
        numericErrorCode: 18_059,
        error: 'invalid_grant',
      },
      error: 'invalid_grant',
    },
    {
      path: '/epic/oauth/v2/userInfo',
      status: 401,
      body: {
        errorCode: 'errors.com.epicgames.common.oauth.invalid_token',
        errorMessage: 'The access token is not valid.',
        messageVars: [],
        numericErrorCode: 1014,
      },
      error: 'errors.com.epicgames.common.oauth.invalid_token',
    },
  ],
}
