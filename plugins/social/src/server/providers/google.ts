import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * OpenID Connect by its discovery document. The address counts as verified only where the claim says so.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload what it tells of a user
 */
export const google: OAuthProvider = defineProvider({
  id: 'google',
  docs: 'https://developers.google.com/identity/openid-connect/openid-connect',
  protocol: 'oauth2',
  issuer: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  // Else a user with one account is signed in with it unasked.
  parameters: { prompt: 'select_account' },
  // Of backups in Drive, which no server is to reach.
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
