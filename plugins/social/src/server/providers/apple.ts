import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The response is posted to the API, the secret is a JWT valid for minutes, and the name comes only the first time.
 * @see https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple user profile
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
  // Required for a name or an email.
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
