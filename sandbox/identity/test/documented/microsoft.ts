import type { Documented } from './types.js'

/** Each tenant is an issuer; `error_codes` and `timestamp` are in each error. */
export const microsoft: Documented = {
  id: 'microsoft',
  pages: [
    'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow',
    'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
    'https://learn.microsoft.com/entra/identity-platform/id-tokens',
  ],
  read: '2026-11-28',
  responses: {
    '/common/oauth2/v2.0/token': {
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 3599,
      scope: 'https://graph.microsoft.com/mail.read',
      refresh_token: 'r',
      id_token: '',
    },
  },
  claims: {
    ver: '2.0',
    iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    name: 'Abe Lincoln',
    preferred_username: 'AbeLi@microsoft.com',
    oid: '00000000-0000-0000-66f3-3332eca7ea81',
    tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
    aio: 'D',
  },
  profile: {
    id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    username: 'AbeLi@microsoft.com',
    name: 'Abe Lincoln',
    emailVerified: false,
  },
  scope: 'https://graph.microsoft.com/mail.read',
  declined: { error: 'access_denied', error_description: 'the user canceled the authentication' },
  errors: [
    {
      path: '/common/oauth2/v2.0/token',
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description: 'AADSTS70011: The provided value for the input parameter is not valid.\r\nTrace ID: 2',
        error_codes: [70_011],
        timestamp: '2016-01-09 02:02:12Z',
        trace_id: '2',
        correlation_id: 'f',
      },
      error: 'invalid_scope',
    },
  ],
}
