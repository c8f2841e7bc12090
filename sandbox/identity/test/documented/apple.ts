import type { Documented } from './types.js'

export const apple: Documented = {
  id: 'apple',
  pages: [
    'https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse',
    'https://developer.apple.com/documentation/signinwithapplerestapi/errorresponse',
    'https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors',
    'https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple',
  ],
  read: '2026-11-28',
  missing: 'The pages list fields without an example; the values are ours.',
  responses: {
    '/auth/token': {
      access_token: 'a.b.c',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'r.s.t',
      id_token: '',
    },
  },
  claims: {
    iss: 'https://appleid.apple.com',
    sub: '001999.6d2f.1',
    email: 'ann@privaterelay.appleid.com',
    email_verified: 'true',
    is_private_email: 'true',
    nonce_supported: true,
    real_user_status: 2,
  },
  formUser: { name: { firstName: 'Ann', lastName: 'Archer' }, email: 'ann@privaterelay.appleid.com' },
  profile: { id: '001999.6d2f.1', name: 'Ann Archer', email: 'ann@privaterelay.appleid.com', emailVerified: true },
  scope: 'name email',
  declined: { error: 'user_cancelled_authorize' },
  errors: [
    {
      path: '/auth/token',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The code has already been used.' },
      error: 'invalid_grant',
    },
  ],
}
