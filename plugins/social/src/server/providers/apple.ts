import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The answer is posted to the API, the secret is a JWT of a few minutes, and the name comes the first time only.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple what it tells of a user
 */
export const apple: OAuthProvider = defineProvider({
  id: 'apple',
  docs: 'https://developer.apple.com/documentation/signinwithapplerestapi',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
  },
  scopes: ['name', 'email'],
  // Demanded where a name or an address is asked for.
  parameters: { response_mode: 'form_post' },
  formPost: true,
  pkce: false,
  clientAuthentication: 'post',
  signedSecret: true,
  idToken: { issuer: 'https://appleid.apple.com', jwks: 'https://appleid.apple.com/auth/keys', nonce: true },
  profile: {
    id: 'idToken.sub',
    name: ['{form.user.name.firstName} {form.user.name.lastName}', 'form.user.name.firstName'],
    email: 'idToken.email',
    emailVerified: 'idToken.email_verified',
  },
})
