import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Emails are a separate request; the profile takes the primary one.
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/ user profile
 */
export const bitbucket: OAuthProvider = defineProvider({
  id: 'bitbucket',
  docs: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2/',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
  },
  scopes: ['account', 'email'],
  pkce: false,
  clientAuthentication: 'basic',
  sources: {
    user: { url: 'https://api.bitbucket.org/2.0/user' },
    emails: { url: 'https://api.bitbucket.org/2.0/user/emails', optional: true },
  },
  profile: {
    id: 'user.uuid',
    username: ['user.username', 'user.nickname'],
    name: 'user.display_name',
    email: 'emails.values[is_primary=true].email',
    emailVerified: 'emails.values[is_primary=true].is_confirmed',
    picture: 'user.links.avatar.href',
  },
})
