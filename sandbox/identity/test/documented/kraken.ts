import type { Documented } from './types.js'

/** The documented fields of the account are at the top level. */
export const kraken: Documented = {
  id: 'kraken',
  pages: [
    'https://docs.kraken.com/api/docs/oauth/get-o-auth-code',
    'https://docs.kraken.com/api/docs/oauth/get-o-auth-token',
    'https://docs.kraken.com/api/docs/oauth/get-o-auth-info',
  ],
  read: '2026-11-28',
  missing:
    'The pages list fields without an example (the values are ours), and no error of the token endpoint or of the account.',
  responses: {
    '/oauth/token': {
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 86_400,
      refresh_token: 'r',
      scope: 'account.info:basic',
    },
    '/oauth/userinfo': { email: 'ann@example.com', iiban: 'AA97 N24G G4PD PAG6' },
  },
  profile: { id: 'AA97 N24G G4PD PAG6', email: 'ann@example.com', emailVerified: false },
  scope: 'account.info:basic',
  declined: { error: 'access_denied' },
  errors: [],
}
