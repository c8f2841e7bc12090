import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * It returns an ID and a display name, and no email.
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication user profile
 */
export const epicgames: OAuthProvider = defineProvider({
  id: 'epicgames',
  docs: 'https://dev.epicgames.com/docs/web-api-ref/authentication',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://www.epicgames.com/id/authorize',
    token: 'https://api.epicgames.dev/epic/oauth/v2/token',
  },
  scopes: ['basic_profile'],
  pkce: false,
  clientAuthentication: 'basic',
  sources: { user: { url: 'https://api.epicgames.dev/epic/oauth/v2/userInfo' } },
  profile: { id: 'user.sub', username: 'user.preferred_username', name: 'user.preferred_username' },
})
