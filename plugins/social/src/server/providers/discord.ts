import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * OAuth 2.0 with PKCE. The picture's URL is made of the ID and a hash.
 * @see https://docs.discord.com/developers/resources/user user profile
 */
export const discord: OAuthProvider = defineProvider({
  id: 'discord',
  docs: 'https://docs.discord.com/developers/topics/oauth2',
  protocol: 'oauth2',
  endpoints: { authorization: 'https://discord.com/oauth2/authorize', token: 'https://discord.com/api/oauth2/token' },
  scopes: ['identify', 'email'],
  pkce: true,
  clientAuthentication: 'basic',
  sources: { user: { url: 'https://discord.com/api/users/@me' } },
  profile: {
    id: 'user.id',
    username: 'user.username',
    name: ['user.global_name', 'user.username'],
    email: 'user.email',
    emailVerified: 'user.verified',
    picture: 'https://cdn.discordapp.com/avatars/{user.id}/{user.avatar}.png',
  },
})
