import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Requires PKCE. It returns a confirmed email to apps with the scope `users.email`.
 * @see https://docs.x.com/x-api/users/get-my-user user profile
 */
export const twitter: OAuthProvider = defineProvider({
  id: 'twitter',
  docs: 'https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code',
  protocol: 'oauth2',
  endpoints: { authorization: 'https://x.com/i/oauth2/authorize', token: 'https://api.x.com/2/oauth2/token' },
  scopes: ['users.read', 'tweet.read'],
  pkce: true,
  clientAuthentication: 'basic',
  sources: {
    user: { url: 'https://api.x.com/2/users/me?user.fields=profile_image_url' },
    address: { url: 'https://api.x.com/2/users/me?user.fields=confirmed_email', scope: 'users.email', optional: true },
  },
  profile: {
    id: 'user.data.id',
    username: 'user.data.username',
    name: 'user.data.name',
    email: 'address.data.confirmed_email',
    emailVerified: true,
    picture: 'user.data.profile_image_url',
  },
})
