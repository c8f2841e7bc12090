/** Sign in with Apple: form_post, a signed secret, and the name at the first consent only. */
import type { StandIn } from '../oauth/types.js'

export const apple: StandIn = {
  id: 'apple',
  name: 'Apple',
  authorizePath: '/auth/authorize',
  tokenPath: '/auth/token',
  scopes: ['name', 'email'],
  demands: { response_mode: ['form_post'] },
  pkce: 'none',
  clientAuthentication: 'apple',
  formPost: true,
  codeSeconds: 300,
  idToken: {
    issuerPath: '',
    algorithm: 'RS256',
    jwksPath: '/auth/keys',
    nonce: true,
    claims: ({ number, email, emailVerified }, { scopes }) => ({
      sub: `${number}.${'0123456789abcdef'.repeat(2)}.0001`,
      nonce_supported: true,
      ...(scopes.includes('email') && { email, email_verified: emailVerified, is_private_email: false }),
    }),
  },
  tokens: ({ scope, ...issued }) => issued,
  tokenError: error => ({ status: 400, body: { error } }),
  returns: ({ grant: { user, scopes, first } }): Record<string, string> => {
    if (!first || !scopes.includes('name') || user.givenName === undefined) return {}
    const name = { firstName: user.givenName, lastName: user.familyName }
    return { user: JSON.stringify({ name, email: user.email }) }
  },
  resources: [],
}
