import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The tokens are in a list, and often the account too. It returns a username and no email.
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started user profile
 */
export const instagram: OAuthProvider = defineProvider({
  id: 'instagram',
  docs: 'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
  },
  scopes: ['instagram_business_basic'],
  scopeSeparator: ',',
  pkce: false,
  clientAuthentication: 'post',
  tokensAt: 'data[0]',
  sources: { user: { url: 'https://graph.instagram.com/v23.0/me?fields=user_id,username,name,profile_picture_url' } },
  profile: {
    id: ['user.data[0].user_id', 'user.user_id'],
    username: ['user.data[0].username', 'user.username'],
    name: ['user.data[0].name', 'user.name', 'user.data[0].username', 'user.username'],
    picture: ['user.data[0].profile_picture_url', 'user.profile_picture_url'],
  },
})
