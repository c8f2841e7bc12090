import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The user is in a list, and the API also needs the client ID. It returns verified emails only, as its documentation says.
 * @see https://dev.twitch.tv/docs/api/reference/#get-users user profile
 */
export const twitch: OAuthProvider = defineProvider({
  id: 'twitch',
  docs: 'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/',
  protocol: 'oauth2',
  endpoints: { authorization: 'https://id.twitch.tv/oauth2/authorize', token: 'https://id.twitch.tv/oauth2/token' },
  scopes: ['openid', 'user:read:email'],
  pkce: false,
  clientAuthentication: 'post',
  idToken: { issuer: 'https://id.twitch.tv/oauth2', jwks: 'https://id.twitch.tv/oauth2/keys', nonce: true },
  sources: { users: { url: 'https://api.twitch.tv/helix/users', headers: { 'Client-Id': '{clientId}' } } },
  profile: {
    id: 'users.data[0].id',
    username: 'users.data[0].login',
    name: 'users.data[0].display_name',
    email: 'users.data[0].email',
    emailVerified: true,
    picture: 'users.data[0].profile_image_url',
  },
})
