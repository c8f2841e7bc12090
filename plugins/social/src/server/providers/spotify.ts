import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The email is not verified, as its documentation says.
 * @see https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile user profile
 */
export const spotify: OAuthProvider = defineProvider({
  id: 'spotify',
  docs: 'https://developer.spotify.com/documentation/web-api/tutorials/code-flow',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
  },
  scopes: ['user-read-private', 'user-read-email'],
  pkce: true,
  clientAuthentication: 'basic',
  sources: { user: { url: 'https://api.spotify.com/v1/me' } },
  profile: {
    // `account_id` never changes; `id` is a username at Spotify.
    id: ['user.account_id', 'user.id'],
    name: ['user.display_name', 'user.id'],
    email: 'user.email',
    picture: 'user.images[0].url',
  },
})
