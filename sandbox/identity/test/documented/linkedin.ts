import type { Documented } from './types.js'

export const linkedin: Documented = {
  id: 'linkedin',
  pages: [
    'https://learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow',
    'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
    'https://www.linkedin.com/oauth/.well-known/openid-configuration',
  ],
  read: '2026-11-28',
  responses: {
    '/oauth/v2/accessToken': {
      access_token: 'a',
      expires_in: 5_184_000,
      scope: 'email,openid,profile',
      token_type: 'Bearer',
      id_token: '',
    },
    '/v2/userinfo': {
      sub: '782bbtaQ',
      name: 'John Doe',
      given_name: 'John',
      family_name: 'Doe',
      picture: 'https://media.licdn-ei.com/dms/image/profile-displayphoto/0/',
      locale: 'en-US',
      email: 'doe@email.com',
      email_verified: true,
    },
  },
  claims: { iss: 'https://www.linkedin.com/oauth', sub: '782bbtaQ', name: 'John Doe', locale: 'en_US' },
  profile: {
    id: '782bbtaQ',
    name: 'John Doe',
    email: 'doe@email.com',
    emailVerified: true,
    picture: 'https://media.licdn-ei.com/dms/image/profile-displayphoto/0/',
  },
  scope: 'email,openid,profile',
  declined: { error: 'user_cancelled_login', error_description: 'The user cancelled LinkedIn login' },
  errors: [
    {
      path: '/oauth/v2/accessToken',
      status: 400,
      body: { error: 'invalid_redirect_uri', error_description: 'Unable to retrieve access token' },
      error: 'invalid_redirect_uri',
    },
    {
      path: '/v2/userinfo',
      status: 401,
      body: {
        status: 401,
        serviceErrorCode: 65_601,
        code: 'REVOKED_ACCESS_TOKEN',
        message: 'The token used in the request has been revoked by the user',
      },
      error: 'The token used in the request has been revoked by the user',
    },
  ],
}
