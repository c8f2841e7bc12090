import type { Documented } from './types.js'

export const epicgames: Documented = {
  id: 'epicgames',
  pages: ['https://dev.epicgames.com/docs/web-api-ref/authentication'],
  read: '2026-11-28',
  missing:
    'The token response is the page’s, read in a public copy of it, and the name is the one in its example token. No ' +
    'example of userInfo or of an error was found: their fields are those that published clients of Epic Games read.',
  responses: {
    '/epic/oauth/v2/token': {
      scope: 'basic_profile friends_list presence',
      token_type: 'bearer',
      access_token: 'a',
      refresh_token: 'r',
      expires_in: 7200,
      expires_at: '2020-04-30T22:34:43.549Z',
      refresh_expires_in: 28_800,
      refresh_expires_at: '2020-05-01T04:34:43.549Z',
      account_id: '9626f441055349ce8cb7d7d5a483eaa2',
      client_id: 'xyza7891lhxMVYGCON7LgnKZZ8HQGD5H',
      application_id: 'fghi4567O03HROxEjwbn7kgXpBhnhWwv',
    },
    '/epic/oauth/v2/userInfo': { sub: '9626f441055349ce8cb7d7d5a483eaa2', preferred_username: 'Krnbry' },
  },
  profile: { id: '9626f441055349ce8cb7d7d5a483eaa2', username: 'Krnbry', name: 'Krnbry', emailVerified: false },
  scope: 'basic_profile friends_list presence',
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
