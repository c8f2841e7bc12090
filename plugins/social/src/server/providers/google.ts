import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * OpenID Connect by its discovery document. The email counts as verified only if the claim says so.
 * @see https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload user profile
 */
export const google: OAuthProvider = defineProvider({
  id: 'google',
  docs: 'https://developers.google.com/identity/openid-connect/openid-connect',
  protocol: 'oauth2',
  issuer: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  // Without it a user with one account does not see the choice.
  parameters: { prompt: 'select_account' },
  // Tokens for backups in Drive stay away from servers.
  unkept: /auth\/drive/,
  pkce: true,
  clientAuthentication: 'post',
  profile: {
    id: 'idToken.sub',
    name: 'idToken.name',
    email: 'idToken.email',
    emailVerified: 'idToken.email_verified',
    picture: 'idToken.picture',
  },
})
