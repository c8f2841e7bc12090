import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * It returns a valid email without saying that it is the user’s, so it counts as not verified.
 * @see https://developers.facebook.com/docs/graph-api/reference/user user profile
 */
export const facebook: OAuthProvider = defineProvider({
  id: 'facebook',
  docs: 'https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
  },
  scopes: ['public_profile', 'email'],
  scopeSeparator: ',',
  pkce: false,
  clientAuthentication: 'post',
  sources: { user: { url: 'https://graph.facebook.com/v23.0/me?fields=id,name,email,picture' } },
  profile: { id: 'user.id', name: 'user.name', email: 'user.email', picture: 'user.picture.data.url' },
})
