import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * OpenID Connect without PKCE; the ID token has no nonce.
 * @see https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2#api-request-to-retreive-member-details user profile
 */
export const linkedin: OAuthProvider = defineProvider({
  id: 'linkedin',
  docs: 'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
  },
  scopes: ['openid', 'profile', 'email'],
  pkce: false,
  clientAuthentication: 'post',
  idToken: {
    issuer: 'https://www.linkedin.com/oauth',
    jwks: 'https://www.linkedin.com/oauth/openid/jwks',
    nonce: false,
  },
  sources: { user: { url: 'https://api.linkedin.com/v2/userinfo' } },
  profile: {
    id: 'idToken.sub',
    name: 'user.name',
    email: 'user.email',
    emailVerified: 'user.email_verified',
    picture: 'user.picture',
  },
})
