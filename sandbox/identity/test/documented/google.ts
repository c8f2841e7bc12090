import type { Documented } from './types.js'

/** The example of the ID token's payload has `email_verified` as text. */
export const google: Documented = {
  id: 'google',
  pages: [
    'https://developers.google.com/identity/openid-connect/openid-connect',
    'https://developers.google.com/identity/protocols/oauth2/web-server',
    'https://accounts.google.com/.well-known/openid-configuration',
  ],
  read: '2026-11-28',
  missing: 'The discovery document was not open on that day: it is an older one of this repository.',
  responses: {
    '/.well-known/openid-configuration': {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    },
    '/token': {
      access_token: 'a',
      id_token: '',
      expires_in: 3920,
      scope: 'openid https://www.googleapis.com/auth/userinfo.email',
      token_type: 'Bearer',
    },
  },
  claims: {
    iss: 'https://accounts.google.com',
    azp: '1234987819200.apps.googleusercontent.com',
    sub: '10769150350006150715113082367',
    at_hash: 'H',
    hd: 'example.com',
    email: 'jsmith@example.com',
    email_verified: 'true',
  },
  profile: { id: '10769150350006150715113082367', email: 'jsmith@example.com', emailVerified: true },
  scope: 'openid https://www.googleapis.com/auth/userinfo.email',
  declined: { error: 'access_denied' },
  errors: [
    {
      path: '/token',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Bad Request' },
      error: 'invalid_grant',
    },
  ],
}
