import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * OpenID Connect by its discovery document.
 * @see https://docs.gitlab.com/integration/openid_connect_provider/#shared-information user profile
 */
export const gitlab: OAuthProvider = defineProvider({
  id: 'gitlab',
  docs: 'https://docs.gitlab.com/integration/openid_connect_provider/',
  protocol: 'oauth2',
  issuer: 'https://gitlab.com',
  scopes: ['openid', 'profile', 'email'],
  pkce: true,
  clientAuthentication: 'post',
  sources: { user: { url: 'https://gitlab.com/oauth/userinfo' } },
  profile: {
    id: 'idToken.sub',
    username: ['user.preferred_username', 'user.nickname'],
    name: 'user.name',
    email: 'user.email',
    emailVerified: 'user.email_verified',
    picture: 'user.picture',
  },
})
