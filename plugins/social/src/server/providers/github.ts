import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The token endpoint reports errors with status 200. Emails are a separate request; the profile takes the primary one.
 * @see https://docs.github.com/rest/users/users#get-the-authenticated-user user profile
 */
export const github: OAuthProvider = defineProvider({
  id: 'github',
  docs: 'https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
  },
  scopes: ['read:user', 'user:email'],
  pkce: true,
  clientAuthentication: 'post',
  sources: {
    user: { url: 'https://api.github.com/user', headers: { accept: 'application/vnd.github+json' } },
    emails: {
      url: 'https://api.github.com/user/emails',
      headers: { accept: 'application/vnd.github+json' },
      optional: true,
    },
  },
  profile: {
    id: 'user.id',
    username: 'user.login',
    name: ['user.name', 'user.login'],
    email: 'emails[primary=true].email',
    emailVerified: 'emails[primary=true].verified',
    picture: 'user.avatar_url',
  },
})
